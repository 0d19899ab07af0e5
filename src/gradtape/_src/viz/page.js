"use strict";
const $ = id => document.getElementById(id);
const scenes = JSON.parse($("data").textContent);
const canvas = $("canvas"), view = $("view");
let scene, drawing, key, at = {x: 0, y: 0, zoom: 1};

const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

// ---- what is shown

function showScene(number) {
  scene = scenes[number];
  $("title").textContent = scene ? scene.title : "No gradient was taken";
  if (!scene) return;
  $("legend").innerHTML = `<svg class="gt" width="300" height="${legendHeight()}">${scene.legend}</svg>`;
  $("notes").replaceChildren(...scene.notes.map(text => element("p", text)));
  const first = answer => answer.cause === "connected" ? 1 : 0;  // those that are None come first
  const answers = [...scene.answers].sort((a, b) => first(a) - first(b)).map(answerOf);
  $("answers").replaceChildren(...(answers.length ? [element("h2", "Gradients"), ...answers] : []));
  const wanted = location.hash.slice(1);
  show(scene.drawings[wanted] ? wanted : "d0");
}

const legendHeight = () => 18 * (2 + (scene.legend.match(/class="row/g) || []).length);

function answerOf(answer) {
  const none = answer.cause !== "connected";
  const card = element("div", undefined, none ? "answer none" : "answer");
  card.append(element("b", answer.source), none ? ": None " : ": exists");
  if (none) card.append(element("span", answer.cause, "cause"));
  else if (answer.gradient !== null) card.append(element("span", ", norm " + answer.gradient));
  if (none) {
    if (answer.place) card.append(element("br"), element("code", answer.place));
    if (answer.text) card.append(element("pre", answer.text));
    card.append(element("p", answer.message), element("p", answer.fix, "fix"));
  }
  card.onclick = () => { if (answer.box) { show("d0"); find(answer.box); } };
  return card;
}

function show(newKey) {
  key = newKey;
  drawing = scene.drawings[key];
  view.innerHTML = drawing.svg;
  for (const flow of view.querySelectorAll(".arrow.flow > path")) {  // dots run the way that gradients go: back
    const run = flow.cloneNode();
    run.removeAttribute("style");
    run.setAttribute("class", "run");
    flow.after(run);
  }
  const trail = [];
  for (let k = key; k; k = scene.drawings[k].parent) trail.unshift(k);
  $("path").replaceChildren(...trail.flatMap((k, i) => {
    const last = i === trail.length - 1, title = scene.drawings[k].title;
    const step = element(last ? "span" : "button", title);
    if (!last) step.onclick = () => show(k);
    return i ? [document.createTextNode("›"), step] : [step];
  }));
  if (drawing.note) $("path").append(element("small", drawing.note));
  fit();
}

// ---- moving and zooming

const move = () => view.setAttribute("transform", `translate(${at.x} ${at.y}) scale(${at.zoom})`);

function fit() {
  const {width, height} = canvas.getBoundingClientRect(), top = 44;
  const zoom = Math.min(1.25, width / drawing.width, (height - top) / drawing.height);
  at.zoom = Math.max(zoom, Math.min(0.75, width / drawing.width));  // rather scroll than show what nobody can read
  at.x = (width - drawing.width * at.zoom) / 2;
  at.y = Math.max(top, top + (height - top - drawing.height * at.zoom) / 2);
  move();
}

function zoom(factor, x, y) {
  const {width, height} = canvas.getBoundingClientRect();
  [x, y] = [x ?? width / 2, y ?? height / 2];
  const next = Math.min(6, Math.max(0.03, at.zoom * factor));
  at.x = x - (x - at.x) * next / at.zoom;
  at.y = y - (y - at.y) * next / at.zoom;
  at.zoom = next;
  move();
}

canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const {left, top} = canvas.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), event.clientX - left, event.clientY - top);
}, {passive: false});

let held = null, moved = false;  // where the drawing is held, and whether it has moved since
canvas.addEventListener("pointerdown", event => {
  held = {x: event.clientX - at.x, y: event.clientY - at.y};
  moved = false;
});
addEventListener("pointermove", event => {
  if (!held) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  moved ||= Math.abs(x - at.x) + Math.abs(y - at.y) > 3;
  if (!moved) return;
  canvas.classList.add("drag");
  [at.x, at.y] = [x, y];
  move();
});
addEventListener("pointerup", () => { held = null; canvas.classList.remove("drag"); });
$("in").onclick = () => zoom(1.3);
$("out").onclick = () => zoom(1 / 1.3);
$("fit").onclick = fit;
addEventListener("resize", () => drawing && fit());

// ---- details

const partOf = target => target.closest?.("[data-box],[data-arrow]");
const known = part => part.dataset.box ? drawing.boxes[part.dataset.box] : drawing.arrows[part.dataset.arrow];

function describe(into, what) {
  const list = element("dl");
  for (const [name, text] of what.details) {
    const className = name === "code" || name === "file" ? "code" : /^(gradient stops|cause)$/.test(name) ? "stops" : "";
    list.append(element("dt", name), element("dd", text, className));
  }
  into.replaceChildren(element("h2", what.title), list);
  if (what.child) into.append(element("p", "Double-click to open it.", "hint"));
}

canvas.addEventListener("pointerover", event => {
  const part = partOf(event.target);
  $("tip").hidden = !part || (held !== null && moved);
  view.querySelectorAll(".near").forEach(other => other.classList.remove("near"));
  if (!part) return;
  describe($("tip"), known(part));
  if (part.dataset.arrow) part.classList.add("near");
});
canvas.addEventListener("pointermove", event => {
  const {left, top, width, height} = canvas.getBoundingClientRect(), tip = $("tip");
  const x = event.clientX - left + 16, y = event.clientY - top + 16;
  tip.style.left = Math.max(4, Math.min(x, width - tip.offsetWidth - 8)) + "px";
  tip.style.top = (y + tip.offsetHeight > height - 8 ? Math.max(4, y - tip.offsetHeight - 32) : y) + "px";
});
canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });
canvas.addEventListener("click", event => {
  const part = partOf(event.target);
  if (moved) return;
  mark(part?.dataset.box ? [part.dataset.box] : []);
  if (part) describe($("details"), known(part));
});
canvas.addEventListener("dblclick", event => {
  const child = partOf(event.target) && known(partOf(event.target)).child;
  if (child) { $("tip").hidden = true; show(child); } else zoom(1.6, event.offsetX, event.offsetY);
});

// ---- search

function mark(ids) {
  const wanted = new Set(ids);
  for (const box of view.querySelectorAll("[data-box]")) box.classList.toggle("hit", wanted.has(box.dataset.box));
}

function find(id) {
  const box = view.querySelector(`[data-box="${CSS.escape(id)}"]`);
  if (!box) return;
  mark([id]);
  const own = box.getBoundingClientRect(), all = canvas.getBoundingClientRect();
  at.x += all.left + all.width / 2 - own.left - own.width / 2;
  at.y += all.top + all.height / 2 - own.top - own.height / 2;
  move();
  describe($("details"), drawing.boxes[id]);
}

let hits = [], current = -1;
function search(text) {
  text = text.trim().toLowerCase();
  hits = [];
  if (text) for (const [k, other] of Object.entries(scene.drawings))
    for (const [id, box] of Object.entries(other.boxes))
      if (box.words.toLowerCase().includes(text) && !id.startsWith("o")) hits.push([k, id, box.title, other.title]);
  hits.sort((a, b) => (a[0] !== key) - (b[0] !== key));
  current = -1;
  $("hits").hidden = !text;
  $("hits").replaceChildren(...hits.slice(0, 50).map(([, , title, where], i) => {
    const item = element("li", title + "  ");
    item.append(element("small", where));
    item.onclick = () => choose(i);
    return item;
  }));
  if (text && !hits.length) $("hits").append(element("li", "nothing found"));
  mark(hits.filter(([k]) => k === key).map(([, id]) => id));
}

function choose(i) {
  if (!hits.length) return;
  current = (i + hits.length) % hits.length;
  const [k, id] = hits[current];
  if (k !== key) show(k);
  find(id);
  [...$("hits").children].forEach((item, n) => item.classList.toggle("on", n === current));
}

$("search").addEventListener("input", event => search(event.target.value));
addEventListener("keydown", event => {
  const typing = event.target === $("search");
  if (typing && event.key === "Enter") choose(current + (event.shiftKey ? -1 : 1));
  else if (event.key === "Escape") {
    if (typing) { $("search").value = ""; search(""); $("search").blur(); }
    else if (drawing?.parent) show(drawing.parent);
  } else if (typing) return;
  else if (event.key === "/") { event.preventDefault(); $("search").focus(); }
  else if (event.key === "+" || event.key === "=") zoom(1.3);
  else if (event.key === "-") zoom(1 / 1.3);
  else if (event.key === "0") fit();
});

// ---- start

$("scenes").hidden = scenes.length < 2;
scenes.forEach((one, i) => $("scenes").append(new Option(one.title, i)));
$("scenes").onchange = event => showScene(+event.target.value);
showScene(0);
