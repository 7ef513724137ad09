import type { PlaceKind } from "../options.ts";

/** A title and a description for whatever shows an address to people before they open it: a messenger, a search, a tab. */
export interface Preview {
  readonly title: string;
  readonly description: string;
}

/** The preview of an address, the same for every id: it says nothing of what is there, and nobody learns that it was made. */
export function previewOf(kind: PlaceKind, name: string): Preview {
  return kind === "home" ? { title: name, description: PURPOSE } : PREVIEWS[kind];
}

/** The purpose of the page, in a line. */
export const PURPOSE = "Send passwords, keys and files, encrypted in your browser. The server can't read them.";

const PREVIEWS = {
  secret: { title: "Someone sent you a secret", description: "This preview doesn't open it." },
  request: {
    title: "You've been asked for a secret",
    description: "It's encrypted in your browser. Only the person who asked can read it.",
  },
  collect: {
    title: "Backup link, only for its owner",
    description: "It has the key to what is handed in. Don't share it.",
  },
} as const;
