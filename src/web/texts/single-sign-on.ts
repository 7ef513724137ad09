import { speak } from "./speaking.ts";

/** What signing in with the account of a company says. */
export const SINGLE_SIGN_ON = await speak(() => import("../languages/en/single-sign-on.ts"), {
  de: () => import("../languages/de/single-sign-on.ts"),
  fr: () => import("../languages/fr/single-sign-on.ts"),
  es: () => import("../languages/es/single-sign-on.ts"),
  "pt-BR": () => import("../languages/pt-br/single-sign-on.ts"),
  it: () => import("../languages/it/single-sign-on.ts"),
  nl: () => import("../languages/nl/single-sign-on.ts"),
  pl: () => import("../languages/pl/single-sign-on.ts"),
  ja: () => import("../languages/ja/single-sign-on.ts"),
  ar: () => import("../languages/ar/single-sign-on.ts"),
});
