import { speak } from "./speaking.ts";

/** What the screens say about the approval of an opening, to those who ask for it, and to those who send. */
export const APPROVING = await speak(() => import("../languages/en/approving.ts"), {
  de: () => import("../languages/de/approving.ts"),
  fr: () => import("../languages/fr/approving.ts"),
  es: () => import("../languages/es/approving.ts"),
  "pt-BR": () => import("../languages/pt-br/approving.ts"),
  it: () => import("../languages/it/approving.ts"),
  nl: () => import("../languages/nl/approving.ts"),
  pl: () => import("../languages/pl/approving.ts"),
  ja: () => import("../languages/ja/approving.ts"),
  ar: () => import("../languages/ar/approving.ts"),
});
