const HALF = 4;
const MOST_LOOKED_AT = 100;

/**
 * Returns the code of a login as the server has it: eight small letters. Capitals, spaces and dashes don't matter.
 * Undefined for anything else.
 */
export function parseCode(text: string): string | undefined {
  // A code with all that people put around it; normalizing long text is slow.
  if (text.length > MOST_LOOKED_AT) return undefined;
  // Some keyboards write wide letters.
  const code = text
    .normalize("NFKC")
    .replace(/[\s\p{Pd}]/gu, "")
    .toLowerCase();
  return /^[a-z]{8}$/.test(code) ? code : undefined;
}

/** Formats a code as terminals show it. */
export function formatCode(code: string): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`.toUpperCase();
}
