import { speak } from "./speaking.ts";

/** What the screens say on which a person lets a terminal in. */
export const LOGIN = await speak(() => import("../languages/en/login.ts"), {
  de: () => import("../languages/de/login.ts"),
  fr: () => import("../languages/fr/login.ts"),
  es: () => import("../languages/es/login.ts"),
  "pt-BR": () => import("../languages/pt-br/login.ts"),
  it: () => import("../languages/it/login.ts"),
  nl: () => import("../languages/nl/login.ts"),
  pl: () => import("../languages/pl/login.ts"),
  ja: () => import("../languages/ja/login.ts"),
  ar: () => import("../languages/ar/login.ts"),
});
