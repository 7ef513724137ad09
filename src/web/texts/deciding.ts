import { speak } from "./speaking.ts";

/** What is said where the opening of a secret has to be approved. */
export const DECIDING = await speak(() => import("../languages/en/deciding.ts"), {
  de: () => import("../languages/de/deciding.ts"),
  fr: () => import("../languages/fr/deciding.ts"),
  es: () => import("../languages/es/deciding.ts"),
  "pt-BR": () => import("../languages/pt-br/deciding.ts"),
  it: () => import("../languages/it/deciding.ts"),
  nl: () => import("../languages/nl/deciding.ts"),
  pl: () => import("../languages/pl/deciding.ts"),
  ja: () => import("../languages/ja/deciding.ts"),
  ar: () => import("../languages/ar/deciding.ts"),
});
