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


def _port(name, *shape):
    dimensions = b''.join(
        _bytes(1, _bytes(2, size) if isinstance(size, str) else _int(1, size)) for size in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _int(1, 1) + _bytes(2, dimensions)))


def _tensor(name, shape, values):
    return (b''.join(_int(1, size) for size in shape) + _int(2, 1) + _bytes(8, name) +
            _bytes(9, struct.pack(f'<{len(values)}f', *values)))


def _node(operator, inputs, output):
    return (b''.join(_bytes(1, name) for name in inputs) + _bytes(2, output) +
            _bytes(4, operator))


def linear(weights, bias, *, input_name='input', output_name='output', batch='batch',
           last='Sigmoid'):
    """sigmoid(row * weights + bias), one number a row."""
    width = len(weights)
    graph = (_bytes(1, _node('MatMul', [input_name, 'weights'], 'product')) +
             _bytes(1, _node('Add', ['product', 'bias'], 'sum')) +
             _bytes(1, _node(last, ['sum'], output_name)) + _bytes(2, 'linear') +
             _bytes(5, _tensor('weights', [width, 1], weights)) +
             _bytes(5, _tensor('bias', [1], [bias])) +
             _bytes(11, _port(input_name, batch, width)) +
             _bytes(12, _port(output_name, batch, 1)))
    return _int(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, '') + _int(2, 13))


# The recipe whose answers are published: over the columns of kcp-13.
KCP13 = ([0.5, 0.3, 0.3, 0.2, 0.15, 0.1, 0.005, 0.02, 0.02, 2.0, -2.0, 0.5, -0.5], -0.1)
