import type { Content } from "./contents.ts";

/**
 * The hint in a link to a secret, contract section 10: what waits, as its sender's client says. Nothing relies on it: it is
 * no part of what is encrypted, and whoever passes a link on can change it.
 */
export interface LinkHint {
  readonly hasText: boolean;
  readonly files: number;
}

const HINT = /^(t?)([1-9][0-9]{0,5})?$/;
/** A hint of a later version looks so, too. */
const LIKE_A_HINT = /^[a-z0-9]{1,16}$/;

/**
 * Reads what stands behind the dot behind the key of a link. Undefined for a hint that this version does not know; "extra"
 * for what is none.
 */
export function parseHint(text: string): LinkHint | "extra" | undefined {
  if (!LIKE_A_HINT.test(text)) return "extra";
  const [, letter, count = "0"] = HINT.exec(text) ?? [];
  return letter === undefined ? undefined : { hasText: letter === "t", files: Number(count) };
}

/** Writes a hint, with the dot before it; empty where there is nothing to say. */
export function formatHint(hint: LinkHint | undefined): string {
  const text = hint ? `${hint.hasText ? "t" : ""}${hint.files === 0 ? "" : hint.files}` : "";
  return text === "" ? "" : `.${text}`;
}

/** The hint for a content. Folders are not counted, and bytes without a name are a file. */
export function hintOf(content: Content): LinkHint {
  switch (content.kind) {
    case "text":
      return { hasText: true, files: 0 };
    case "binary":
      return { hasText: false, files: 1 };
    case "files":
    case "both":
      return { hasText: content.kind === "both", files: content.files.filter(({ isFolder }) => !isFolder).length };
  }
}
