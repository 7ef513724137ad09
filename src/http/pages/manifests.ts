import type { PlacedBrand } from "./brands.ts";
import { GROUND } from "./documents.ts";
import { PURPOSE } from "./previews.ts";

/**
 * The web manifest, for people who install the page as an app: a name, icons and the start address. There is no service
 * worker, so nothing of the page outlives a visit.
 */
export function describeWebApp({ name, icon, touchIcon }: PlacedBrand): string {
  return JSON.stringify({
    id: "./",
    name,
    short_name: name,
    description: PURPOSE,
    start_url: "./",
    scope: "./",
    display: "minimal-ui",
    background_color: GROUND.light,
    theme_color: GROUND.light,
    icons: [
      { src: icon.path, type: icon.type, sizes: "any" },
      ...(touchIcon === undefined || touchIcon === icon.path
        ? []
        : [{ src: touchIcon, type: "image/png", sizes: "180x180" }]),
    ],
  });
}
