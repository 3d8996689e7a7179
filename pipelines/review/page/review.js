// The review page: one question at a time, decided by keyboard or by clicking.
import { steps } from "./chain.js";
import { ask, by, chip, el, link, words } from "./parts.js";
import * as picture from "./picture.js";

const state = { items: [], at: 0, question: null, shown: false, undo: [], busy: false };
const STATES = { accept: "accepted", edit: "edited", reject: "rejected" };
const panels = ["editor", "refusal"];

async function start() {
  by("reviewer").value = localStorage.getItem("reviewer") ?? "";
  state.shown = localStorage.getItem("shown") === "yes";
  const queue = await ask("/api/queue");
  state.items = queue.items;
  by("round").textContent = `round ${queue.round}, ${words(queue.dataset)}`;
  document.title = `Review of round ${queue.round}`;
  by("reasons").append(...queue.reasons.map(reasonChoice));
  const asked = state.items.findIndex((item) => `#${item.id}` === location.hash);
  await go(asked >= 0 ? asked : 0);
}

function reasonChoice(reason, index) {
  const input = el("input", { type: "radio", name: "reason", value: reason, id: `r-${index + 1}` });
  return el("label", { class: "choice" }, input, el("kbd", {}, String(index + 1)), words(reason));
}

async function go(index) {
  if (index < 0 || index >= state.items.length) return;
  closePanels();
  const main = by("main");
  main.setAttribute("aria-busy", "true");
  try {
    state.question = await ask(`/api/questions/${state.items[index].id}`);
    state.at = index;
    state.items[index].decision = state.question.decision;
    history.replaceState(null, "", `#${state.question.id}`);
    draw();
    window.scrollTo(0, 0);
  } catch (error) {
    say(error.message, true);
  }
  main.setAttribute("aria-busy", "false");
}

function draw() {
  const { question } = state, decision = question.decision;
  by("place").textContent = `${state.at + 1} of ${state.items.length}`;
  by("state").replaceChildren(stateOf(decision));
  by("text").replaceChildren(decision?.text ?? question.text);
  if (decision?.text) by("text").append(el("del", {}, question.text));
  by("pictures").replaceChildren(...question.pictures.map(figure));
  by("facts").replaceChildren(...question.seen.map((fact) => chip("", fact)));
  by("chips").replaceChildren(...figures(question));
  drawAnswer();
  drawProgress();
}

function stateOf(decision) {
  if (!decision) return el("span", { class: "badge" }, "undecided");
  const told = [decision.reason && words(decision.reason), decision.note].filter(Boolean).join(": ");
  const who = decision.reviewer ? ` by ${decision.reviewer}` : "";
  return el("span", { class: `badge ${decision.decision}`, title: `decision ${decision.number}` },
    `${STATES[decision.decision]}${who}${told ? ` (${told})` : ""}`);
}

function figure(image) {
  const url = `/picture/${image.sha256}`;
  return el("figure", {},
    el("button", { class: "zoom", title: "Look at it large (Z)", onclick: () => picture.open(url) },
      el("img", { src: url, alt: "The question's picture", width: image.width, height: image.height })),
    el("figcaption", {}, `${image.width} × ${image.height}, ${image.license}, ${image.author}. `,
      link(image.source_url, "source")));
}

function figures(question) {
  const { split, difficulty } = question;
  return [
    chip("operator", question.operator),
    chip("hops", String(question.hops)),
    ...difficulty
      ? ["expanded", "blurred", "visualized"].filter((name) => difficulty[name])
        .map((name) => chip(name, String(difficulty[name])))
      : [],
    difficulty ? chip("difficulty", String(difficulty.total)) : null,
    split ? chip("split", split.name) : null,
    ...question.rates.map((rate) => chip(`${rate.policy} right`, `${rate.correct} of ${rate.graded}`)),
  ].filter(Boolean);
}

function drawAnswer() {
  const { question, shown } = state;
  by("answer").replaceChildren(...[
    el("span", { class: "label" }, "Answer"),
    shown ? el("strong", { dir: "auto" }, question.answer) : el("span", { class: "hidden" }, "•••••"),
    shown && question.aliases.length ? el("small", {}, `also ${question.aliases.join(", ")}`) : null,
    el("button", { class: "quiet", id: "show", "aria-pressed": String(shown), onclick: toggle },
      shown ? "Hide" : "Show", el("kbd", {}, "Space")),
  ].filter(Boolean));
  by("chain").replaceChildren(...steps(question, shown));
}

function toggle() {
  state.shown = !state.shown;
  localStorage.setItem("shown", state.shown ? "yes" : "no");
  drawAnswer();
}

function drawProgress() {
  const count = { accept: 0, edit: 0, reject: 0 };
  for (const item of state.items) if (item.decision) count[item.decision.decision] += 1;
  const decided = count.accept + count.edit + count.reject;
  const left = state.items.length - decided;
  by("bar").replaceChildren(...[...Object.entries(count), ["left", left]].map(([name, number]) => {
    const part = el("span", { class: name });
    part.style.flexGrow = number;
    return part;
  }));
  by("bar").setAttribute("aria-label", `${decided} of ${state.items.length} decided`);
  by("counts").replaceChildren(
    el("strong", {}, `${decided} of ${state.items.length} decided`),
    ...Object.entries(count).filter(([, number]) => number)
      .map(([name, number]) => el("span", { class: name }, `${number} ${STATES[name]}`)));
  by("undo").disabled = !state.undo.length;
  by("before").disabled = state.at === 0;
  by("after").disabled = state.at + 1 >= state.items.length;
}

function say(text, wrong = false) {
  by("said").textContent = text;
  by("said").classList.toggle("wrong", wrong);
}

// Send a decision; gives whether it was kept. Why it was not is shown in `place`.
async function send(id, decision, place = null) {
  if (state.busy) return false;
  state.busy = true;
  try {
    const body = { question_id: id, reviewer: by("reviewer").value.trim(), ...decision };
    const kept = await ask("/api/decisions", body);
    const item = state.items.find((each) => each.id === id);
    item.decision = kept.decision === "withdraw" ? null : kept;
    return true;
  } catch (error) {
    const told = `${words(error.code)}: ${error.message}`;
    if (place) by(place).textContent = told;
    say(`Not saved: ${told}`, true);
    return false;
  } finally {
    state.busy = false;
  }
}

// Whether another question is on its way: a key must not decide about the one before.
const waits = () => state.busy || by("main").getAttribute("aria-busy") === "true";

async function decide(decision, place) {
  const { id, decision: before } = state.question;
  if (!(await send(id, decision, place))) return;
  state.undo.push({ id, before });
  const left = nextUndecided();
  say(`${STATES[decision.decision]}${left < 0 ? "; all are decided" : ""}`);
  await go(left < 0 ? state.at : left);
}

function nextUndecided() {
  const count = state.items.length;
  for (let step = 1; step <= count; step += 1) {
    const index = (state.at + step) % count;
    if (!state.items[index].decision) return index;
  }
  return -1;
}

async function undo() {
  const last = state.undo.at(-1);
  if (!last) return;
  const before = last.before;
  const back = before
    ? { decision: before.decision, reason: before.reason, note: before.note, text: before.text }
    : { decision: "withdraw" };
  if (!(await send(last.id, back))) return;
  state.undo.pop();
  say("undone");
  await go(state.items.findIndex((item) => item.id === last.id));
}

function openPanel(name, first) {
  closePanels();
  by(name).hidden = false;
  first.focus();
}

function closePanels() {
  for (const name of panels) by(name).hidden = true;
  by("refusal").reset();
  for (const name of ["edit-fault", "reject-fault"]) by(name).textContent = "";
  document.activeElement?.blur();
}

function edit() {
  by("wording").value = state.question.decision?.text ?? state.question.text;
  openPanel("editor", by("wording"));
}

const reject = () => openPanel("refusal", by("r-1"));

by("editor").addEventListener("submit", (event) => {
  event.preventDefault();
  decide({ decision: "edit", text: by("wording").value }, "edit-fault");
});
by("refusal").addEventListener("submit", (event) => {
  event.preventDefault();
  const reason = document.querySelector("input[name=reason]:checked")?.value;
  if (!reason) by("reject-fault").textContent = "Choose a reason.";
  else decide({ decision: "reject", reason, note: by("note").value }, "reject-fault");
});

const keys = {
  a: () => decide({ decision: "accept" }),
  e: edit,
  r: reject,
  u: undo,
  n: () => go(nextUndecided()),
  z: () => state.question.pictures.length && picture.open(`/picture/${state.question.pictures[0].sha256}`),
  "?": () => by("keys").showModal(),
  " ": toggle,
  ArrowLeft: () => go(state.at - 1),
  ArrowRight: () => go(state.at + 1),
};

function inPanel(event) {
  if (event.key === "Escape") closePanels();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) by("editor").requestSubmit();
  else if (!by("refusal").hidden && event.target.type !== "text" && /^[1-9]$/.test(event.key)) {
    by(`r-${event.key}`)?.click();
    by(`r-${event.key}`)?.focus();
  } else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (by("keys").open) return;
  if (picture.isOpen()) {
    if (picture.key(event)) event.preventDefault();
    return;
  }
  if (panels.some((name) => !by(name).hidden)) {
    inPanel(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea")) return;
  if (event.key === " " && event.target.matches("button, a")) return;
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  if (waits()) {
    event.preventDefault();
    return;
  }
  event.preventDefault();
  action();
});

const buttons = { accept: "a", edit: "e", reject: "r", undo: "u", help: "?", before: "ArrowLeft", after: "ArrowRight" };
for (const [id, name] of Object.entries(buttons)) {
  by(id).addEventListener("click", () => {
    by(id).blur();
    if (!waits()) keys[name]();
  });
}
for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", closePanels);
by("reviewer").addEventListener("change", () => localStorage.setItem("reviewer", by("reviewer").value.trim()));

start().catch((error) => {
  by("main").setAttribute("aria-busy", "false");
  say(error.message, true);
});
