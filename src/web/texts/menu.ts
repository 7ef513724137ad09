import { speak } from "./speaking.ts";

/** What the bar of a signed-in person says. */
export const MENU = await speak(() => import("../languages/en/menu.ts"), {
  de: () => import("../languages/de/menu.ts"),
  fr: () => import("../languages/fr/menu.ts"),
  es: () => import("../languages/es/menu.ts"),
  "pt-BR": () => import("../languages/pt-br/menu.ts"),
  it: () => import("../languages/it/menu.ts"),
  nl: () => import("../languages/nl/menu.ts"),
  pl: () => import("../languages/pl/menu.ts"),
  ja: () => import("../languages/ja/menu.ts"),
  ar: () => import("../languages/ar/menu.ts"),
});
