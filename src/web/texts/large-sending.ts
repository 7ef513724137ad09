import { speak } from "./speaking.ts";

/** What the screens say while a secret is sent in pieces. */
export const LARGE_SENDING = await speak(() => import("../languages/en/large-sending.ts"), {
  de: () => import("../languages/de/large-sending.ts"),
  fr: () => import("../languages/fr/large-sending.ts"),
  es: () => import("../languages/es/large-sending.ts"),
  "pt-BR": () => import("../languages/pt-br/large-sending.ts"),
  it: () => import("../languages/it/large-sending.ts"),
  nl: () => import("../languages/nl/large-sending.ts"),
  pl: () => import("../languages/pl/large-sending.ts"),
  ja: () => import("../languages/ja/large-sending.ts"),
  ar: () => import("../languages/ar/large-sending.ts"),
});
