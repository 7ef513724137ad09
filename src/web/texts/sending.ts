import { speak } from "./speaking.ts";

/** What the screens say on which a secret is sent or asked for. */
export const SENDING = await speak(() => import("../languages/en/sending.ts"), {
  de: () => import("../languages/de/sending.ts"),
  fr: () => import("../languages/fr/sending.ts"),
  es: () => import("../languages/es/sending.ts"),
  "pt-BR": () => import("../languages/pt-br/sending.ts"),
  it: () => import("../languages/it/sending.ts"),
  nl: () => import("../languages/nl/sending.ts"),
  pl: () => import("../languages/pl/sending.ts"),
  ja: () => import("../languages/ja/sending.ts"),
  ar: () => import("../languages/ar/sending.ts"),
});
