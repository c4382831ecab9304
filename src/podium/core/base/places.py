"""Places of files whose names come from elsewhere: within a folder, or refused.

A name that stands in somebody's file, archive or folder may be absolute, climb out by `..`, or be a
link that leads away. It becomes a path here and nowhere else.
"""

from __future__ import annotations

import os
from pathlib import Path, PureWindowsPath

from podium.core.base.errors import PodiumError, ResultsError


def place_within(
    folder: str | Path, *names: object, error: type[PodiumError] = ResultsError
) -> Path:
    """The place that a name from elsewhere has within a folder, of which nothing need be there.

    Of several names each has its place within that of the one before. Links are followed before it
    is decided, so that one that points outside the folder is refused.

    >>> place_within("board", "files/scores.csv").as_posix()
    'board/files/scores.csv'
    >>> place_within("board", "../scores.csv")
    Traceback (most recent call last):
    podium.errors.ResultsError: '../scores.csv' points outside the folder 'board', where it \
belongs: rename it, or leave it out.
    """
    place = Path(folder)
    for name in names:
        if not isinstance(name, str) or not name or "\0" in name:
            raise error(
                f"{name!r:.80} is no name of a file in '{place}': rename it, or leave it out."
            )
        above, place = place, place / name
        if _climbs(name) or not _is_below(place, above):
            raise error(
                f"'{name}' points outside the folder '{above}', where it belongs: rename it, or "
                "leave it out."
            )
    return place


def _climbs(name: str) -> bool:
    """Whether a name is absolute or goes up, on this system or on Windows."""
    parts = PureWindowsPath(name)  # which takes both slashes
    has_drive = bool(parts.drive) and os.name == "nt"
    return has_drive or bool(parts.root) or ".." in parts.parts


def _is_below(place: Path, folder: Path) -> bool:
    """Whether a place lies in a folder, and is not the folder itself, when links are followed."""
    top, whole = os.path.realpath(folder), os.path.realpath(place)
    try:
        return whole != top and os.path.commonpath([top, whole]) == top
    except ValueError:  # on two drives
        return False


def name_in_folder(path: str | Path) -> str:
    """What a file or folder is called where it lies, also where it is given as `.` or `..`.

    >>> name_in_folder("runs/first.csv"), name_in_folder("/")
    ('first.csv', 'files')
    """
    return Path(os.path.abspath(path)).name or "files"
