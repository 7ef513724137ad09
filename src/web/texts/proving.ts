import { speak } from "./speaking.ts";

/** What the screens of a link that is for chosen people say, beside what `MAIL` has about codes. */
export const PROVING = await speak(() => import("../languages/en/proving.ts"), {
  de: () => import("../languages/de/proving.ts"),
  fr: () => import("../languages/fr/proving.ts"),
  es: () => import("../languages/es/proving.ts"),
  "pt-BR": () => import("../languages/pt-br/proving.ts"),
  it: () => import("../languages/it/proving.ts"),
  nl: () => import("../languages/nl/proving.ts"),
  pl: () => import("../languages/pl/proving.ts"),
  ja: () => import("../languages/ja/proving.ts"),
  ar: () => import("../languages/ar/proving.ts"),
});
