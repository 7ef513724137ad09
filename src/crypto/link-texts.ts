const WHITE_SPACE = /\s/;
/** Characters around a link in a message. No link begins or ends with one of them. */
const AROUND = /[\p{P}\p{S}\p{Z}\p{C}]/u;

/**
 * Extracts the link from `text`, where punctuation, quotes or brackets may be around it, and anything after white
 * space. Text without a link is returned whole or in part, for the caller to refuse.
 */
export function trimLink(text: string): string {
  let start = 0;
  while (start < text.length && AROUND.test(text.charAt(start))) start++;
  let end = start;
  while (end < text.length && !WHITE_SPACE.test(text.charAt(end))) end++;
  while (end > start && AROUND.test(text.charAt(end - 1))) end--;
  // Some keyboards capitalize the scheme.
  return text.slice(start, end).replace(/^https?:/i, (scheme) => scheme.toLowerCase());
}
