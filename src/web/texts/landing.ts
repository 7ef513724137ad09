import { speak } from "./speaking.ts";

/** What the start page says, and what signing in and out says. */
export const LANDING = await speak(() => import("../languages/en/landing.ts"), {
  de: () => import("../languages/de/landing.ts"),
  fr: () => import("../languages/fr/landing.ts"),
  es: () => import("../languages/es/landing.ts"),
  "pt-BR": () => import("../languages/pt-br/landing.ts"),
  ja: () => import("../languages/ja/landing.ts"),
});
