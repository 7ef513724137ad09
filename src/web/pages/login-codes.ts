import { readKept, removeKept, writeKept } from "../browser/tab-storage.ts";
import { parseCode } from "./typed-codes.ts";

const KEPT_AS = "login-code";

/** Removes the fragment from the address bar and the history. A code in it is kept for this tab. */
export function takeCode(): void {
  // Without the punctuation that followed the link in a message.
  const [, given = ""] = /^#([a-z]{4}-?[a-z]{4})(?![a-z])/i.exec(location.hash) ?? [];
  if (location.href.includes("#")) history.replaceState(null, "", location.pathname);
  const code = parseCode(given);
  if (code !== undefined) keepCode(code);
}

/** Keeps a code for this tab: it survives a reload, and signing in. */
export function keepCode(code: string): void {
  writeKept(KEPT_AS, code);
}

/** Returns the kept code; undefined when there is none. */
export function findKeptCode(): string | undefined {
  const code = readKept(KEPT_AS);
  return typeof code === "string" ? parseCode(code) : undefined;
}

/** Forgets the kept code, which is of no more use. */
export function dropCode(): void {
  removeKept(KEPT_AS);
}
