import { speak } from "./speaking.ts";

/** What the start page says, and what signing in and out says. */
export const LANDING = await speak(() => import("../languages/en/landing.ts"), {
  de: () => import("../languages/de/landing.ts"),
  fr: () => import("../languages/fr/landing.ts"),
  es: () => import("../languages/es/landing.ts"),
  "pt-BR": () => import("../languages/pt-br/landing.ts"),
  it: () => import("../languages/it/landing.ts"),
  nl: () => import("../languages/nl/landing.ts"),
  pl: () => import("../languages/pl/landing.ts"),
  ja: () => import("../languages/ja/landing.ts"),
  ar: () => import("../languages/ar/landing.ts"),
});
