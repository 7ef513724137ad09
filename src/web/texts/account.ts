import { speak } from "./speaking.ts";

/** What a person's account says. */
export const ACCOUNT = await speak(() => import("../languages/en/account.ts"), {
  de: () => import("../languages/de/account.ts"),
  fr: () => import("../languages/fr/account.ts"),
  es: () => import("../languages/es/account.ts"),
  "pt-BR": () => import("../languages/pt-br/account.ts"),
  it: () => import("../languages/it/account.ts"),
  nl: () => import("../languages/nl/account.ts"),
  pl: () => import("../languages/pl/account.ts"),
  ja: () => import("../languages/ja/account.ts"),
  ar: () => import("../languages/ar/account.ts"),
});
