# SPDX-License-Identifier: MIT
"""ONNX files by hand: the few messages of the format that tests need, written as bytes."""
import struct

FLOAT, INT8, INT64, STRING = 1, 3, 7, 8


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append((value & 0x7f) | (0x80 if value > 0x7f else 0))
        value >>= 7
        if not value:
            return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def tensor(name, dims, values, kind=FLOAT, raw=None):
    if raw is None:
        form = {FLOAT: 'f', INT8: 'b', INT64: 'q'}[kind]
        raw = struct.pack(f'<{len(values)}{form}', *values)
    return (b''.join(number(1, d) for d in dims) + number(2, kind) + part(8, name) + part(9, raw))


def port(name, dims, kind=FLOAT):
    shape = b''.join(part(1, number(1, d) if isinstance(d, int) else part(2, d)) for d in dims)
    return part(1, name) + part(2, part(1, number(1, kind) + part(2, shape)))


def attribute(name, value):
    out = part(1, name)
    if isinstance(value, float):
        return out + varint(2 << 3 | 5) + struct.pack('<f', value) + number(20, 1)
    if isinstance(value, int):
        return out + number(3, value) + number(20, 2)
    if isinstance(value, bytes):  # a tensor
        return out + part(5, value) + number(20, 4)
    if isinstance(value, Graph):
        return out + part(6, value.bytes()) + number(20, 5)
    return out + b''.join(number(8, v) for v in value) + number(20, 7)


def node(kind, inputs, outputs, domain='', name='', **attributes):
    return (b''.join(part(1, i) for i in inputs) + b''.join(part(2, o) for o in outputs) +
            part(3, name) + part(4, kind) + part(7, domain) +
            b''.join(part(5, attribute(k, v)) for k, v in attributes.items()))


class Graph:
    """Nodes, initializers and ports; the fields may be changed before bytes()."""

    def __init__(self, nodes, initializers=(), inputs=None, outputs=None):
        self.nodes, self.initializers = list(nodes), list(initializers)
        self.inputs = inputs if inputs is not None else [port('board', ['batch', 1540])]
        self.outputs = outputs if outputs is not None else [port('score', ['batch', 1])]

    def bytes(self):
        return (b''.join(part(1, n) for n in self.nodes) + part(2, 'g') +
                b''.join(part(5, t) for t in self.initializers) +
                b''.join(part(11, p) for p in self.inputs) +
                b''.join(part(12, p) for p in self.outputs))


def model(graph, ir=8, opset=13, imports=()):
    opsets = [('', opset), *imports]
    return (number(1, ir) + b''.join(part(8, part(1, d) + number(2, v)) for d, v in opsets) +
            part(7, graph.bytes()))


WORTH = [1.0, 3.0, 3.0, 5.0, 9.0, 0.0]


def material(scale=1.0, knight=3.0):
    """A vector of 1540 numbers: own pieces less enemy pieces as the side to move sees them."""
    worth = [scale * w for w in (WORTH[0], knight, *WORTH[2:])]
    column = [w for w in worth for _ in range(64)] + [-w for w in worth for _ in range(64)]
    column += [0.0] * (1540 - len(column))
    return model(Graph([node('MatMul', ['board', 'w'], ['score'])],
                       [tensor('w', [1540, 1], column)]))
