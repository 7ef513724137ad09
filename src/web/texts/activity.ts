import { speak } from "./speaking.ts";

/** What the lists of secrets and requests say. */
export const ACTIVITY = await speak(() => import("../languages/en/activity.ts"), {
  de: () => import("../languages/de/activity.ts"),
  fr: () => import("../languages/fr/activity.ts"),
  es: () => import("../languages/es/activity.ts"),
  "pt-BR": () => import("../languages/pt-br/activity.ts"),
  it: () => import("../languages/it/activity.ts"),
  nl: () => import("../languages/nl/activity.ts"),
  pl: () => import("../languages/pl/activity.ts"),
  ja: () => import("../languages/ja/activity.ts"),
  ar: () => import("../languages/ar/activity.ts"),
});
