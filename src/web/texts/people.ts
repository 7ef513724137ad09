import { speak } from "./speaking.ts";

/** What the screens say about the people whom a secret or a request is for. */
export const PEOPLE = await speak(() => import("../languages/en/people.ts"), {
  de: () => import("../languages/de/people.ts"),
  fr: () => import("../languages/fr/people.ts"),
  es: () => import("../languages/es/people.ts"),
  "pt-BR": () => import("../languages/pt-br/people.ts"),
  it: () => import("../languages/it/people.ts"),
  nl: () => import("../languages/nl/people.ts"),
  pl: () => import("../languages/pl/people.ts"),
  ja: () => import("../languages/ja/people.ts"),
  ar: () => import("../languages/ar/people.ts"),
});
