import type { BrandColors } from "../../../http/options.ts";

/** The backgrounds of the page, in each theme, for text in the accent color. */
export const GROUNDS = {
  light: { card: "#fdfefc", paper: "#f0f3ee", fill: "#e6ebe4" },
  dark: { card: "#181e1c", paper: "#101413", fill: "#252d2a" },
} as const;

/** The contrast that text needs with its background (WCAG 2.2, success criterion 1.4.3). */
export const TEXT_CONTRAST = 4.5;
/** The contrast of a dark theme's accent with the card: above the minimum, like mint on graphite. */
const DARK_CONTRAST = 7;

const WHITE = "#ffffff";
const BLACK = "#000000";
const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/** A color that is too light for the light theme. */
export interface TooLight {
  /** Its lowest contrast with a background of the light theme, and the color of that background. */
  readonly ratio: number;
  readonly ground: string;
  /** The lightest color of the same hue that has enough contrast. */
  readonly nearest: string;
}

/**
 * The tokens of the page's styles for `color`, a CSS hex color such as `#14563f` or `#15a`. The light theme uses it
 * unchanged, the dark theme a lighter shade of it. Text in these colors and on them has enough contrast in both themes.
 */
export function deriveColors(color: string): BrandColors | TooLight {
  const accent = toHex(color);
  const worst = worstGround(accent);
  const shades = PERCENTS.map((lightness) => toHex(`hsl(from ${accent} h s ${lightness}%)`));
  if (worst.ratio < TEXT_CONTRAST) {
    return { ...worst, nearest: shades.findLast((each) => worstGround(each).ratio >= TEXT_CONTRAST) ?? BLACK };
  }
  const { card } = GROUNDS.dark;
  const flap = mix(accent, BLACK, DARK_FLAP);
  const dark = shades.find((each) => contrastOf(each, card) >= DARK_CONTRAST) ?? WHITE;
  return {
    light: {
      accent,
      "accent-hover": mix(accent, BLACK, 18),
      "accent-press": mix(accent, BLACK, 34),
      "on-accent": WHITE,
      "accent-tint": mix(WHITE, accent, LIGHT_TINT),
      "accent-line": mix(WHITE, accent, 36),
      flap: accent,
      "flap-deep": mix(accent, BLACK, 30),
      "on-flap": WHITE,
    },
    dark: {
      accent: dark,
      "accent-hover": mix(dark, WHITE, 25),
      "accent-press": mix(dark, WHITE, 50),
      "on-accent": shades[10] ?? BLACK,
      "accent-tint": mix(card, dark, 10),
      "accent-line": mix(card, dark, 34),
      flap,
      "flap-deep": mix(flap, dark, 25),
      "on-flap": mix(WHITE, dark, 25),
    },
  };
}

const LIGHT_TINT = 10;
/** How much darker than the light theme's accent an envelope is in the dark, in percent. */
const DARK_FLAP = 30;

/** The contrast of two CSS colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The background of the light theme, including the accent's tint, with the lowest contrast to `accent`. */
function worstGround(accent: string): { readonly ratio: number; readonly ground: string } {
  const grounds = [...Object.values(GROUNDS.light), mix(WHITE, accent, LIGHT_TINT)];
  return grounds
    .map((ground) => ({ ratio: contrastOf(accent, ground), ground }))
    .reduce((worst, each) => (each.ratio < worst.ratio ? each : worst));
}

/** The relative luminance, from 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (Bun.color(color, "[rgb]") ?? []).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes `percent` of `other` into `one`. */
function mix(one: string, other: string, percent: number): string {
  return toHex(`color-mix(in srgb, ${one}, ${other} ${percent}%)`);
}

/** The CSS color as six hexadecimal digits. Throws Error when it is no color, which settings rule out. */
function toHex(color: string): string {
  const hex = Bun.color(color, "hex");
  if (hex === null) throw new Error("not a CSS color");
  return hex;
}
