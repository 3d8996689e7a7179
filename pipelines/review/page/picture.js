// The picture at any size: wheel and keys zoom, dragging moves it.
import { by } from "./parts.js";

const LARGEST = 16;
const view = { scale: 1, x: 0, y: 0, fit: 1 };
const viewer = by("viewer"), stage = by("stage"), large = by("large");

export function open(url) {
  large.src = url;
  viewer.showModal();
  large.decode().then(fit, fit);
}

export const isOpen = () => viewer.open;
export const close = () => viewer.close();

function fit() {
  const box = stage.getBoundingClientRect();
  const wide = large.naturalWidth || 1, high = large.naturalHeight || 1;
  view.fit = Math.min(box.width / wide, box.height / high, 1) || 1;
  view.scale = view.fit;
  view.x = (box.width - wide * view.scale) / 2;
  view.y = (box.height - high * view.scale) / 2;
  draw();
}

function draw() {
  large.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  by("scale").textContent = `${Math.round(view.scale * 100)} %`;
}

function zoom(factor, x, y) {
  const box = stage.getBoundingClientRect();
  const [px, py] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
  const scale = Math.min(LARGEST, Math.max(view.fit / 2, view.scale * factor));
  view.x = px - (px - view.x) * (scale / view.scale);
  view.y = py - (py - view.y) * (scale / view.scale);
  view.scale = scale;
  draw();
}

export function key(event) {
  const done = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit, z: close }[event.key];
  if (done) done();
  return Boolean(done);
}

stage.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
}, { passive: false });
stage.addEventListener("pointerdown", (event) => {
  stage.setPointerCapture(event.pointerId);
  stage.classList.add("held");
});
stage.addEventListener("pointermove", (event) => {
  if (!stage.hasPointerCapture(event.pointerId)) return;
  view.x += event.movementX;
  view.y += event.movementY;
  draw();
});
stage.addEventListener("pointerup", () => stage.classList.remove("held"));
stage.addEventListener("dblclick", (event) =>
  view.scale > view.fit * 1.01 ? fit() : zoom(1 / view.scale > 1.2 ? 1 / view.scale : 2.5, event.clientX, event.clientY));
window.addEventListener("resize", () => viewer.open && fit());
by("more").addEventListener("click", () => zoom(1.25));
by("less").addEventListener("click", () => zoom(0.8));
by("fit").addEventListener("click", fit);
by("shut").addEventListener("click", close);
