# SPDX-License-Identifier: MIT
"""Small ONNX graphs written byte by byte, so that the tests need no package for it."""
import struct


def _varint(value):
    out = b''
    value &= (1 << 64) - 1
    while True:
        low, value = value & 127, value >> 7
        out += bytes([low | (128 if value else 0)])
        if not value:
            return out


def _int(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def port(name, *shape, element=1, sequence=False):
    """An input or output. A dimension is a number, or a name. element: 1 float, 11 double."""
    dimensions = b''.join(
        _bytes(1, _bytes(2, size) if isinstance(size, str) else _int(1, size)) for size in shape)
    kind = _bytes(1, _int(1, element) + _bytes(2, dimensions))
    return _bytes(1, name) + _bytes(2, _bytes(4, _bytes(1, kind)) if sequence else kind)


def _tensor(name, shape, values):
    return (b''.join(_int(1, size) for size in shape) + _int(2, 1) + _bytes(8, name) +
            _bytes(9, struct.pack(f'<{len(values)}f', *values)))


def _node(operator, inputs, output):
    return (b''.join(_bytes(1, name) for name in inputs) + _bytes(2, output) +
            _bytes(4, operator))


def linear(weights, bias, *, input_name='input', output_name='output', batch='batch',
           last='Sigmoid', inputs=None, outputs=None):
    """sigmoid(row * weights + bias), one number a row. inputs, outputs: ports in place of the right
    ones."""
    width = len(weights)
    graph = (_bytes(1, _node('MatMul', [input_name, 'weights'], 'product')) +
             _bytes(1, _node('Add', ['product', 'bias'], 'sum')) +
             _bytes(1, _node(last, ['sum'], output_name)) + _bytes(2, 'linear') +
             _bytes(5, _tensor('weights', [width, 1], weights)) +
             _bytes(5, _tensor('bias', [1], [bias])) +
             b''.join(_bytes(11, p) for p in inputs or [port(input_name, batch, width)]) +
             b''.join(_bytes(12, p) for p in outputs or [port(output_name, batch, 1)]))
    return _int(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, '') + _int(2, 13))


# The recipe whose answers are published: over the columns of kcp-13.
KCP13 = ([0.5, 0.3, 0.3, 0.2, 0.15, 0.1, 0.005, 0.02, 0.02, 2.0, -2.0, 0.5, -0.5], -0.1)

FLOAT, DOUBLE = 1, 11


def cast(taken, given, width):
    """A graph that only casts: [batch,width] of one element type in, the same shape of another out."""
    node = (_node('Cast', ['input'], 'output') +
            _bytes(5, _bytes(1, 'to') + _int(3, given) + _int(20, 2)))
    graph = (_bytes(1, node) + _bytes(2, 'cast') +
             _bytes(11, port('input', 'batch', width, element=taken)) +
             _bytes(12, port('output', 'batch', width, element=given)))
    return _int(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, '') + _int(2, 13))
