import { excerptOf, findHits, formsOf, wordsOf } from "../../manual/search.ts";
import type { Hit, Passage } from "../../manual/search.ts";

/** More places help nobody, and take long to lay out. */
const MAX_HITS = 50;
const EXCERPT_COLUMNS = 160;
const EXCERPTS = 3;

interface Parts {
  /** What is shown while nothing is searched for. */
  readonly shown: Element;
  readonly found: Element;
  /** What a screen reader says. */
  readonly status: Element;
  /** The way to the top of the site. */
  readonly top: string;
}

/** The search of the manual. The pages read and link without it. */
function startSearch(form: HTMLFormElement, input: HTMLInputElement, parts: Parts): void {
  const { shown, found } = parts;
  let passages: Promise<readonly Passage[]> | undefined;
  // Loaded once somebody is about to search.
  const load = () =>
    (passages ??= fetch(form.dataset["passages"] ?? "")
      .then((answer) => (answer.ok ? (answer.json() as Promise<Passage[]>) : Promise.reject(new Error("refused"))))
      .catch((error: unknown) => {
        passages = undefined;
        throw error;
      }));
  const update = async () => {
    const query = input.value.trim();
    shown.toggleAttribute("hidden", query !== "");
    found.toggleAttribute("hidden", query === "");
    if (query === "") return;
    try {
      const hits = findHits(await load(), query);
      if (query === input.value.trim()) showHits(parts, hits, query);
    } catch {
      found.replaceChildren(
        make("p", { role: "alert" }, "Can't reach the server. Check your connection and try again."),
      );
    }
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("focus", () => void load().catch(() => undefined));
  input.addEventListener("input", () => void update());
  // The browser keeps it with the entry of the history that a hit leads away from.
  input.addEventListener("change", () => history.replaceState({ search: input.value }, ""));
  addEventListener("pageshow", () => {
    const kept: unknown = history.state?.search;
    if (input.value === "" && typeof kept === "string") input.value = kept;
    void update();
  });
}

function showHits({ found, status, top }: Parts, hits: readonly Hit[], query: string): void {
  const count = hits.length === 1 ? "1 place" : `${hits.length === 0 ? "No" : hits.length} places`;
  const headline = `${hits.length > MAX_HITS ? `First ${MAX_HITS} of ${count}` : count} for “${query}”`;
  status.textContent = headline;
  const items = hits.slice(0, MAX_HITS).map(({ topic, title, heading, anchor, texts }) => {
    const name = heading === title ? title : `${title}: ${heading}`;
    const excerpts = texts
      .filter((text) => text !== heading)
      .slice(0, EXCERPTS)
      .map((text) => make("p", { class: "quiet" }, ...markWords(excerptOf(text, query, EXCERPT_COLUMNS), query)));
    return make("li", {}, make("a", { href: `${top}manual/${topic}#${anchor}` }, name), ...excerpts);
  });
  found.replaceChildren(
    make("h1", {}, headline),
    ...(items.length === 0
      ? [make("p", { class: "quiet" }, "Try fewer words.")]
      : [make("ol", { class: "hits" }, ...items)]),
  );
}

/** `text` with every word of `query` marked. */
function markWords(text: string, query: string): (Node | string)[] {
  const words = wordsOf(query)
    .flatMap(formsOf)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`));
  const parts = text.split(new RegExp(`(${words.join("|")})`, "i"));
  return parts.map((part, at) => (at % 2 === 1 ? make("mark", {}, part) : part));
}

function make(tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly (Node | string)[]) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const form = document.querySelector<HTMLFormElement>("form.search");
const [input, status] = [form?.querySelector("input"), form?.querySelector("[role=status]")];
const [shown, found] = [document.querySelector(".shown"), document.querySelector(".found")];
if (form && input && status && shown && found) {
  startSearch(form, input, { shown, found, status, top: form.dataset["top"] ?? "" });
}
