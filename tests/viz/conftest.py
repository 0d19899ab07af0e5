"""Pictures on; a real browser."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import gradtape as tf

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-quic --hide-scrollbars --window-size=1200,800 --virtual-time-budget=2000"
).split()


@pytest.fixture
def pictures():
    tf.debugging.enable_pictures()
    yield
    tf.debugging.disable_pictures()


class Browser:
    """A headless Chromium that opens a page, runs a script in it and tells what came of it."""

    def __init__(self, program: str, folder: Path):
        self.program = program
        self.folder = folder

    def _run(self, page: str, *flags: str) -> str:
        path = self.folder / "page.html"
        path.write_text(page, encoding="utf-8")
        profile = self.folder / "profile"
        command = [self.program, *_FLAGS, f"--user-data-dir={profile}", *flags, path.as_uri()]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=90)
        shutil.rmtree(profile, ignore_errors=True)
        return done.stdout

    def answers(self, page: str, script: str) -> dict:
        """What the script puts into the object ``found``; and errors of the page, and what it asked the network for."""
        tail = f"""<script>
        const found = {{}}, errors = window.pageErrors;
        const point = (type, target, more) => target.dispatchEvent(
            new (type.startsWith("pointer") ? PointerEvent : type === "wheel" ? WheelEvent : MouseEvent)(
                type, {{bubbles: true, cancelable: true, clientX: 700, clientY: 400, ...more}}));
        const press = key => dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
        try {{ {script} }} catch (error) {{ errors.push(String(error)); }}
        found.errors = errors;
        found.requests = performance.getEntriesByType("resource").map(entry => entry.name);
        const answer = document.createElement("pre");
        answer.id = "found";
        answer.textContent = JSON.stringify(found);
        document.body.append(answer);
        </script></body>"""
        head = "<head><script>window.pageErrors = []; onerror = text => { pageErrors.push(text); };</script>"
        page = page.replace("<head>", head, 1)
        page = tail.join(page.rsplit("</body>", 1))
        dom = self._run(page, "--dump-dom")
        match = re.search(r'<pre id="found">(.*?)</pre>', dom, re.DOTALL)
        assert match is not None, dom[-2000:]
        return json.loads(html.unescape(match[1]))

    def screenshot(self, page: str) -> bytes:
        """What it looks like, a PNG file."""
        shot = self.folder / "shot.png"
        self._run(page, f"--screenshot={shot}", "--window-size=800,600")
        return shot.read_bytes()


@pytest.fixture
def browser(tmp_path):
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("There is no Chromium: .ci/run installs it.")
        pytest.skip("There is no Chromium: apt-get install chromium")
    return Browser(found, tmp_path)
