import { speak } from "./speaking.ts";

/** What the screens say on which text and files are put together, and those of a request. */
export const SUBMITTING = await speak(() => import("../languages/en/submitting.ts"), {
  de: () => import("../languages/de/submitting.ts"),
  fr: () => import("../languages/fr/submitting.ts"),
  es: () => import("../languages/es/submitting.ts"),
  "pt-BR": () => import("../languages/pt-br/submitting.ts"),
  it: () => import("../languages/it/submitting.ts"),
  nl: () => import("../languages/nl/submitting.ts"),
  pl: () => import("../languages/pl/submitting.ts"),
  ja: () => import("../languages/ja/submitting.ts"),
  ar: () => import("../languages/ar/submitting.ts"),
});
