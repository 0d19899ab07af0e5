"""A profile as a trace for chrome://tracing and Perfetto: the *Trace Event Format* of the Chromium project.

Each entry is a complete event ("X"), whose category is the phase; the bytes held are a counter ("C").
"""

from __future__ import annotations

import gzip
import json
import os
from typing import Any

from gradtape._src.core.files import written_whole
from gradtape._src.profile.record import Event, Profile

_MICROSECONDS = 1e6


def trace_events(profile: Profile) -> dict[str, Any]:
    """The trace as a dictionary."""
    process = os.getpid()
    names = [
        {"ph": "M", "name": "process_name", "pid": process, "args": {"name": "gradtape"}},
        *(
            {"ph": "M", "name": "thread_name", "pid": process, "tid": n, "args": {"name": f"thread {n}"}}
            for n in sorted({event.thread for event in profile.events})
        ),
    ]
    events = sorted(profile.events, key=lambda event: event.start)
    entries = [_complete(event, process) for event in events]
    counters = [
        {
            "ph": "C",
            "name": "bytes held",
            "pid": process,
            "ts": (event.start + event.seconds) * _MICROSECONDS,
            "args": {"bytes": event.held},
        }
        for event in events
        if event.key.kind == "op"
    ]
    return {"traceEvents": [*names, *entries, *counters], "displayTimeUnit": "ms"}


def _complete(event: Event, process: int) -> dict[str, Any]:
    place, name, phase, kind = event.key
    args: dict[str, Any] = {"kind": kind}
    if place.location is not None:
        args["file"], args["line"] = place.location
    if event.detail:
        args["operation"] = event.detail
    return {
        "ph": "X",
        "name": f"{name} (backward)" if kind == "rule" else name,
        "cat": phase,
        "pid": process,
        "tid": event.thread,
        "ts": event.start * _MICROSECONDS,
        "dur": event.seconds * _MICROSECONDS,
        "args": args,
    }


def write_trace(profile: Profile, path: str) -> None:
    """Writes the trace as JSON, compressed if the name ends with ``.gz``."""
    data = json.dumps(trace_events(profile)).encode()
    with written_whole(path) as temporary, open(temporary, "wb") as file:
        file.write(gzip.compress(data) if path.endswith(".gz") else data)
