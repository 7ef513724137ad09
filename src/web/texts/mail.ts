import { speak } from "./speaking.ts";

/** What the start page says where people sign in with a code by mail. */
export const MAIL = await speak(() => import("../languages/en/mail.ts"), {
  de: () => import("../languages/de/mail.ts"),
  fr: () => import("../languages/fr/mail.ts"),
  es: () => import("../languages/es/mail.ts"),
  "pt-BR": () => import("../languages/pt-br/mail.ts"),
  it: () => import("../languages/it/mail.ts"),
  nl: () => import("../languages/nl/mail.ts"),
  pl: () => import("../languages/pl/mail.ts"),
  ja: () => import("../languages/ja/mail.ts"),
  ar: () => import("../languages/ar/mail.ts"),
});
