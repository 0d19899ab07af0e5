"""One drawing of a picture: boxes, arrows and frames, before they have places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gradtape._src.viz.scene import Location, Node, Stats


@dataclass
class Box:
    """One node of the scene, or several that are folded into one.

    Attributes:
      title, subtitle: its text.
      times: how often what it stands for was executed.
      trend: the norms of the gradient, one for each time.
      child: the key of the drawing of what is inside.
    """

    id: str
    kind: str
    title: str
    nodes: list[Node]
    subtitle: str = ""
    called: str = ""
    role: str = ""
    cause: str = ""
    times: int = 1
    trend: list[float] = field(default_factory=list)
    child: str = ""
    details: list[tuple[str, str]] = field(default_factory=list)

    def values(self) -> list[Stats]:
        return [n.value for n in self.nodes if n.value is not None]

    def gradients(self) -> list[Stats]:
        return [n.gradient for n in self.nodes if n.gradient is not None]

    @property
    def folded(self) -> bool:
        return len(self.nodes) > 1


@dataclass
class Arrow:
    """Tensors from one box to another; the states are those of scene.Link. ``back``: into the next step of a loop."""

    start: str
    end: str
    tensors: list[str]
    state: str
    cause: str = ""
    norm: float | None = None
    back: bool = False


@dataclass
class Frame:
    """A group of boxes: a line of the program ("line"), a name scope ("scope"), or a part of a body ("part")."""

    kind: str
    label: str
    boxes: list[str] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    location: Location = None


@dataclass
class Drawing:
    """What is shown at once. ``parent`` is the key of the drawing that it is opened from."""

    key: str
    title: str
    parent: str = ""
    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    note: str = ""

    def all_frames(self) -> Iterator[Frame]:
        """The frames, those inside others after these."""
        waiting = list(self.frames)
        for frame in waiting:
            yield frame
            waiting += frame.frames
