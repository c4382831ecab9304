"""Packed files: small ones may hold more than memory does, so that what they become is bounded."""

from __future__ import annotations

import zlib

LEAST_BOUND, MOST_TIMES = 100_000_000, 100  # bytes that any file may become; or times its size
_MAGIC = b"\x1f\x8b"
_GZIP = 31  # zlib's number for gzip's own header


def unzipped(raw: bytes) -> bytes:
    """The content of a gzipped file; an OSError where it is a flood, an EOFError where cut off."""
    if raw and not raw.startswith(_MAGIC):
        raise OSError(f"Not a gzipped file ({raw[:2]!r})")
    bound = max(LEAST_BOUND, MOST_TIMES * len(raw))
    parts: list[bytes] = []
    while raw.strip(b"\0"):  # a file may be several, one behind the other, and filled up by zeros
        stream = zlib.decompressobj(_GZIP)
        parts.append(stream.decompress(raw, bound - sum(map(len, parts)) + 1))
        if sum(map(len, parts)) > bound:
            raise OSError(f"unpacked it has more than {bound // 1_000_000} MB; unpack it yourself")
        if not stream.eof:
            raise EOFError("the packed file is cut off")
        raw = stream.unused_data
    return b"".join(parts)
