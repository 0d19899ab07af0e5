"""64-bit fingerprints of strings, as TensorFlow's hash buckets use them: the same in every process.

Source: G. Pike, FarmHash (``Fingerprint64``), https://github.com/google/farmhash.
"""

from __future__ import annotations

_ALL = (1 << 64) - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(s: bytes, at: int) -> int:
    return int.from_bytes(s[at : at + 8], "little")


def _turned(x: int, n: int) -> int:
    x &= _ALL
    return (x >> n | x << (64 - n)) & _ALL


def _mixed(x: int) -> int:
    x &= _ALL
    return x ^ x >> 47


def _of_two(u: int, v: int, factor: int) -> int:
    u, v = u & _ALL, v & _ALL
    a = _mixed((u ^ v) * factor)
    return _mixed((v ^ a) * factor) * factor & _ALL


def _short(s: bytes) -> int:
    """Of at most 16 bytes."""
    n = len(s)
    factor = _K2 + 2 * n
    if n >= 8:
        a, b = _word(s, 0) + _K2, _word(s, n - 8)
        return _of_two(_turned(b, 37) * factor + a, (_turned(a, 25) + b) * factor, factor)
    if n >= 4:
        first, last = (int.from_bytes(part, "little") for part in (s[:4], s[-4:]))
        return _of_two(n + (first << 3), last, factor)
    if n:
        y, z = s[0] + (s[n >> 1] << 8), n + (s[-1] << 2)
        return _mixed(y * _K2 ^ z * _K0) * _K2 & _ALL
    return _K2


def _medium(s: bytes) -> int:
    """Of 17 to 64 bytes."""
    n = len(s)
    factor = _K2 + 2 * n
    a, b = _word(s, 0) * (_K1 if n <= 32 else _K2), _word(s, 8)
    c, d = _word(s, n - 8) * factor, _word(s, n - 16) * _K2
    y = _turned(a + b, 43) + _turned(c, 30) + d
    z = a + _turned(b + _K2, 18) + c
    if n <= 32:
        return _of_two(y, z, factor)
    z = _of_two(y, z, factor)
    e, f = _word(s, 16) * factor, _word(s, 24)
    g, h = (y + _word(s, n - 32)) * factor, (z + _word(s, n - 24)) * factor
    return _of_two(_turned(e + f, 43) + _turned(g, 30) + h, e + _turned(f + a, 18) + g, factor)


def _of_32(s: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """Two words of 32 bytes."""
    w, x, y, z = (_word(s, at + 8 * i) for i in range(4))
    a += w
    b = _turned(b + a + z, 21)
    c = a
    a += x + y
    return a + z & _ALL, b + _turned(a, 44) + c & _ALL


def fingerprint64(s: bytes) -> int:
    """The fingerprint of a string: 64 bits."""
    n = len(s)
    if n <= 64:
        return _short(s) if n <= 16 else _medium(s)
    x, y = 81 * _K2 + _word(s, 0), 81 * _K1 + 113
    z = _mixed(y * _K2 + 113) * _K2
    v, w = (0, 0), (0, 0)
    last = (n - 1) // 64 * 64

    def block(at: int, factor: int, of_w: int, of_v: int) -> None:
        nonlocal x, y, z, v, w
        x = _turned(x + y + v[0] + _word(s, at + 8), 37) * factor
        y = _turned(y + v[1] + _word(s, at + 48), 42) * factor
        x = (x ^ w[1] * of_w) & _ALL
        y = y + v[0] * of_v + _word(s, at + 40) & _ALL
        z = _turned(z + w[0], 33) * factor & _ALL
        v = _of_32(s, at, v[1] * factor, x + w[0])
        w = _of_32(s, at + 32, z + w[1], y + _word(s, at + 16))
        z, x = x, z

    for at in range(0, last, 64):
        block(at, _K1, 1, 1)
    factor = _K1 + ((z & 0xFF) << 1)
    w = (w[0] + (n - 1 & 63), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    block(n - 64, factor, 9, 9)
    return _of_two(_of_two(v[0], w[0], factor) + _mixed(y) * _K0 + z, _of_two(v[1], w[1], factor) + x, factor)


def keyed_hash64(s: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 of a string: 64 bits that nobody can foresee who does not know the key.

    Source: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
    """
    k0, k1 = key[0] & _ALL, key[1] & _ALL
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def turn(x: int, n: int) -> int:
        return (x << n | x >> (64 - n)) & _ALL

    def rounds(n: int) -> None:
        a, b, c, d = v
        for _ in range(n):
            a, c = a + b & _ALL, c + d & _ALL
            b, d = turn(b, 13) ^ a, turn(d, 16) ^ c
            a, c = turn(a, 32) + d & _ALL, c + b & _ALL
            b, d = turn(b, 17) ^ c, turn(d, 21) ^ a
            c = turn(c, 32)
        v[:] = a, b, c, d

    whole = len(s) // 8 * 8
    words = [_word(s, at) for at in range(0, whole, 8)]
    for word in (*words, (len(s) & 0xFF) << 56 | int.from_bytes(s[whole:], "little")):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
