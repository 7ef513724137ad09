import type { Passage } from "./search.ts";
import { TOPICS } from "./topics.ts";
import type { Topic } from "./topics.ts";

/** Returns all that can be found in the manual, in reading order. */
export function listPassages(): Passage[] {
  return TOPICS.flatMap(passagesOf);
}

function passagesOf({ name, title, text }: Topic): Passage[] {
  const passages: Passage[] = [];
  let [heading, anchor] = ["", ""];
  const add = (found: string) => {
    for (const line of found.split("\n").map((each) => each.replace(/\s+/g, " ").trim())) {
      if (line !== "") passages.push({ topic: name, title, heading, anchor, text: line });
    }
    return "";
  };
  const join = (found: string) => add(found.replaceAll("\n", " "));
  Bun.markdown.render(
    text,
    {
      heading: (children, { id = "" }) => {
        [heading, anchor] = [children, id];
        return add(children);
      },
      paragraph: join,
      listItem: join,
      code: add,
      td: (cell) => `${cell} `,
      th: (cell) => `${cell} `,
      tr: add,
    },
    { headings: { ids: true } },
  );
  return passages;
}
