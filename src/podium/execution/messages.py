"""Messages between a pool and its workers: frames that say how long they are, each with a digest.

An algorithm may write into descriptors that are not its own. What is not a whole frame is never
unpickled: it is a dead worker, and no more.
"""

from __future__ import annotations

import hashlib
import pickle
import select
import socket
import struct
from typing import Any

_HEADER = struct.Struct("<8sQ16s")  # a mark, the length of what follows, its digest
_MARK = b"podium\x00\x01"
_CHUNK = 1 << 18


class BrokenFrame(OSError):
    """Something else than a worker has written into its pipe."""


class Link:
    """One end of the pipe between a pool and a worker."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._buffer = bytearray()

    def fileno(self) -> int:
        """The descriptor, for those who wait."""
        return self._end.fileno()

    def send(self, message: Any) -> None:
        """Send a whole message; OSError where nobody can receive it."""
        content = pickle.dumps(message, protocol=5)
        self._end.sendall(_HEADER.pack(_MARK, len(content), _digest(content)) + content)

    def receive(self) -> Any:
        """Wait for one message; EOFError where the other end is gone."""
        while not (messages := self._whole(most=1)):
            self._fill()
        return messages[0]

    def arrived(self) -> list[Any]:
        """The messages that have come, without waiting for the rest of one that has begun."""
        try:
            self._fill(socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        return self._whole()

    def is_ready(self, seconds: float) -> bool:
        """Whether something comes within so many seconds, if only the end."""
        pipe = select.poll()
        pipe.register(self._end, select.POLLIN)
        return bool(pipe.poll(seconds * 1000))

    @property
    def is_quiet(self) -> bool:
        """Whether all that has come was whole messages."""
        return not self._buffer

    def close(self) -> None:
        """Close this end."""
        self._end.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _fill(self, flags: int = 0) -> None:
        part = self._end.recv(_CHUNK, flags)
        if not part:
            raise EOFError
        self._buffer += part

    def _whole(self, most: int = 1 << 30) -> list[Any]:
        """The messages in the buffer that are complete."""
        messages: list[Any] = []
        while len(self._buffer) >= _HEADER.size and len(messages) < most:
            mark, length, digest = _HEADER.unpack_from(self._buffer)
            if mark != _MARK:
                raise BrokenFrame("a frame does not begin as frames do")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            content = bytes(self._buffer[_HEADER.size : end])
            if _digest(content) != digest:
                raise BrokenFrame("a frame does not have its digest")
            del self._buffer[:end]
            messages.append(pickle.loads(content))
        return messages


def linked() -> tuple[Link, socket.socket]:
    """The pool's end of a new pipe, and the worker's, to be handed over."""
    ours, theirs = socket.socketpair()
    return Link(ours), theirs


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
