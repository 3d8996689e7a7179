// Elements and requests. Whatever comes from the server becomes text, never markup.

export const by = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A link where the address is one of the web, else its text alone.
export function link(url, text) {
  let kind = "";
  try { kind = new URL(url).protocol; } catch { kind = ""; }
  if (kind !== "https:" && kind !== "http:") return el("span", {}, text);
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text);
}

export const chip = (name, value, kind = "") =>
  el("span", { class: `chip ${kind}` }, name ? el("small", {}, name) : null, value);

export const words = (constant) => constant.replaceAll("_", " ");

export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export async function ask(path, body) {
  const sent = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, sent);
  } catch {
    throw new Refused("no_server", "the server does not answer: is `hopsight review` still running?");
  }
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  const error = told.error ?? { code: String(answer.status), message: "the server failed" };
  throw new Refused(error.code, error.message);
}
