import { speak } from "./speaking.ts";

/** What the audit of a team says. */
export const AUDITING = await speak(() => import("../languages/en/auditing.ts"), {
  de: () => import("../languages/de/auditing.ts"),
  fr: () => import("../languages/fr/auditing.ts"),
  es: () => import("../languages/es/auditing.ts"),
  "pt-BR": () => import("../languages/pt-br/auditing.ts"),
  it: () => import("../languages/it/auditing.ts"),
  nl: () => import("../languages/nl/auditing.ts"),
  pl: () => import("../languages/pl/auditing.ts"),
  ja: () => import("../languages/ja/auditing.ts"),
  ar: () => import("../languages/ar/auditing.ts"),
});
