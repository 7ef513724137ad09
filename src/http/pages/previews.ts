import type { PlaceKind } from "../options.ts";

/**
 * A title and a description for apps that show an address before it is opened: messengers, search engines, browser
 * tabs.
 */
export interface Preview {
  readonly title: string;
  readonly description: string;
}

/**
 * The preview of an address. It is the same for every ID, so it reveals nothing about a secret, and fetching it is not
 * recorded.
 */
export function previewOf(kind: PlaceKind, name: string): Preview {
  return kind === "home" || kind === "sign-in" || kind === "login"
    ? { title: name, description: PURPOSE }
    : PREVIEWS[kind];
}

/** The purpose of the page, in one line. */
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
