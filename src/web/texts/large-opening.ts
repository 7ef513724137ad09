import { speak } from "./speaking.ts";

/** What the screens of a large secret say, beside what all secrets say. */
export const LARGE_OPENING = await speak(() => import("../languages/en/large-opening.ts"), {
  de: () => import("../languages/de/large-opening.ts"),
  fr: () => import("../languages/fr/large-opening.ts"),
  es: () => import("../languages/es/large-opening.ts"),
  "pt-BR": () => import("../languages/pt-br/large-opening.ts"),
  it: () => import("../languages/it/large-opening.ts"),
  nl: () => import("../languages/nl/large-opening.ts"),
  pl: () => import("../languages/pl/large-opening.ts"),
  ja: () => import("../languages/ja/large-opening.ts"),
  ar: () => import("../languages/ar/large-opening.ts"),
});
