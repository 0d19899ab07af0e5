"""What holds in all tests: the values of a graph's operations are checked against what their rules promise."""

from __future__ import annotations

from gradtape._src.graph import verify

verify.during_execution = True
