// The chain as steps: what leads from one entity to the next, and the sentences that say so.
import { el, link } from "./parts.js";

export function steps(question, shown) {
  const made = question.steps.map((step, number) => stepOf(step, number));
  made.push(answerOf(question, shown));
  return made;
}

function stepOf(step, number) {
  return el("li", {},
    el("div", { class: "dot" }, String(number)),
    el("div", { class: "step" },
      el("div", { class: "title" }, link(step.url, step.title), el("small", {}, step.kind)),
      step.clue === null
        ? el("p", { class: "clue" }, number === 0 ? "seen in the picture" : "no clue is stored")
        : clueOf(step.clue),
      step.images.length ? el("div", { class: "found" }, ...step.images.map(small)) : null,
      ...step.evidence.map(sentence)));
}

function small(image) {
  return el("img", { src: `/picture/${image.sha256}`, alt: "picture of this step", loading: "lazy" });
}

function clueOf(clue) {
  const said = [clue.holder, clue.relation, clue.value].map((part, index) =>
    el("span", { class: index === 1 ? "relation" : "" }, part));
  return el("div", { class: "clue" },
    el("p", { class: "fact" }, ...said),
    ...clue.conditions.map((text) => el("span", { class: "chip" }, text)));
}

function answerOf(question, shown) {
  return el("li", { class: "last" },
    el("div", { class: "dot" }, "✓"),
    el("div", { class: "step" },
      el("div", { class: "title" }, shown ? question.answer : "the answer",
        el("small", {}, question.asked)),
      shown ? sentence(question.answer_evidence)
        : el("p", { class: "clue" }, "hidden: Space shows it")));
}

function sentence(found) {
  const [before, after] = found.cut;
  return el("blockquote", { class: found.stands ? "" : "wrong" },
    el("p", { dir: "auto" },
      before ? "… " : "", el("span", { class: "around" }, found.before),
      el("mark", {}, ...marked(found.sentence, found.marks)),
      el("span", { class: "around" }, found.after), after ? " …" : ""),
    el("footer", {},
      el("span", { class: "role" }, found.role),
      link(found.url, found.title),
      el("span", {}, `revision ${found.revision}, characters ${found.span.join("–")}`),
      found.stands ? null
        : el("strong", {}, "the stored page does not have this sentence there")));
}

// The sentence with the names it is about set off.
function marked(text, names) {
  const wanted = names.filter((name) => name.length > 1).map(escaped);
  if (!wanted.length) return [text];
  wanted.sort((a, b) => b.length - a.length);
  return text.split(new RegExp(`(${wanted.join("|")})`, "giu")).map((part, index) =>
    index % 2 ? el("b", {}, part) : part);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
