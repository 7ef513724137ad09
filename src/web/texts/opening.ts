import { speak } from "./speaking.ts";

/** What the screens of a secret that is opened say. */
export const OPENING = await speak(() => import("../languages/en/opening.ts"), {
  de: () => import("../languages/de/opening.ts"),
  fr: () => import("../languages/fr/opening.ts"),
  es: () => import("../languages/es/opening.ts"),
  "pt-BR": () => import("../languages/pt-br/opening.ts"),
  it: () => import("../languages/it/opening.ts"),
  nl: () => import("../languages/nl/opening.ts"),
  pl: () => import("../languages/pl/opening.ts"),
  ja: () => import("../languages/ja/opening.ts"),
  ar: () => import("../languages/ar/opening.ts"),
});
