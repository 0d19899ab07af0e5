"""Why a gradient is None, NaN or wrong.

``history`` is what happened to tensors, out of birth records (``journal``), a tape's recording, or a graph.
``edges`` says of one operation whether a gradient passes, ``walk`` finds the path from source to target that lacks
least, ``diagnosis`` names the cause. ``causes`` has the closed list and its words; ``docs/reasons.md`` explains it.
"""
