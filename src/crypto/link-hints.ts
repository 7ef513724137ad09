import type { Content } from "./contents.ts";

/**
 * The hint in a link to a secret, contract section 10: the kind of content, as the sender's client says. Nothing relies
 * on it, because it isn't encrypted, and anyone who passes the link on can change it.
 */
export interface LinkHint {
  readonly hasText: boolean;
  readonly files: number;
}

const HINT = /^(t?)([1-9][0-9]{0,5})?$/;
/** The form of all hints, those of later versions included. */
const LIKE_A_HINT = /^[a-z0-9]{1,16}$/;

/** Parses the hint after the key. Undefined for one that this version doesn't know, "extra" for anything else. */
export function parseHint(text: string): LinkHint | "extra" | undefined {
  if (!LIKE_A_HINT.test(text)) return "extra";
  const [, letter, count = "0"] = HINT.exec(text) ?? [];
  return letter === undefined ? undefined : { hasText: letter === "t", files: Number(count) };
}

/** Formats a hint, with the dot before it; empty for none. */
export function formatHint(hint: LinkHint | undefined): string {
  const text = hint ? `${hint.hasText ? "t" : ""}${hint.files === 0 ? "" : hint.files}` : "";
  return text === "" ? "" : `.${text}`;
}

/** The hint for content. Folders don't count, and bytes without a name count as a file. */
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
