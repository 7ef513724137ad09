import { printable } from "../parts/printable.ts";
import { describeContent, titleOf } from "./descriptions.ts";
import { idOf, ticketOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

/** The searched text of each item, which is the same for as long as the item is. */
const texts = new WeakMap<ActivityItem, string>();

const ID_END_LENGTH = 6;

/**
 * Returns a function that tells whether an item has all words of `search`, in any case and with any accents. The end of
 * its ID is a word too.
 */
export function createSearch(search: string): (item: ActivityItem) => boolean {
  const words = wordsOf(search);
  return (item) => words.every((word) => textOf(item).includes(word) || endsWith(idOf(item), word));
}

/** True for the end of an ID as the page and mails show it. A shorter one would be found by chance. */
function endsWith(id: string, word: string): boolean {
  const end = word.replace(/^\.\.\./, "");
  return end.length >= ID_END_LENGTH && id.endsWith(end);
}

/** Splits `text` into pieces; those that `search` looks for are marked. */
export function markWords(
  text: string,
  search: string,
): readonly { readonly text: string; readonly isMarked: boolean }[] {
  const letters = Array.from(text);
  const folded = letters.map(fold);
  // The index of the letter from which each character of the folded text comes.
  const origins = folded.flatMap((each, index) => Array.from({ length: each.length }, () => index));
  const whole = folded.join("");
  const marked = new Set<number>();
  for (const word of wordsOf(search)) {
    for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length)) {
      for (const origin of origins.slice(at, at + word.length)) marked.add(origin);
    }
  }
  const pieces: { text: string; isMarked: boolean }[] = [];
  for (const [index, letter] of letters.entries()) {
    const last = pieces.at(-1);
    if (last && last.isMarked === marked.has(index)) last.text += letter;
    else pieces.push({ text: letter, isMarked: marked.has(index) });
  }
  return pieces;
}

function textOf(item: ActivityItem): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const parts = [titleOf(item), item.kind === "sent" ? describeContent(item.content) : "", ticketOf(item) ?? ""];
  const text = fold(printable(parts.join("\n")));
  texts.set(item, text);
  return text;
}

function wordsOf(search: string): readonly string[] {
  return fold(search).split(/\s+/).filter(Boolean);
}

/** Without accents, in lower case. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
