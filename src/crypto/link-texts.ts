const WHITE_SPACE = /\s/;
/** A character that stands around a link in a message, and is no part of it: no link begins or ends with any of it. */
const AROUND = /[\p{P}\p{S}\p{Z}\p{C}]/u;

/**
 * The link in `text`, which may have white space, full stops, quotes or brackets around it, as in a message; behind white
 * space may be anything. What is no link comes back as it is, or in part, for others to refuse.
 */
export function trimLink(text: string): string {
  let start = 0;
  while (start < text.length && AROUND.test(text.charAt(start))) start++;
  let end = start;
  while (end < text.length && !WHITE_SPACE.test(text.charAt(end))) end++;
  while (end > start && AROUND.test(text.charAt(end - 1))) end--;
  // As some keyboards begin them.
  return text.slice(start, end).replace(/^https?:/i, (scheme) => scheme.toLowerCase());
}
