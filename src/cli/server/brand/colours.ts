import type { BrandColours } from "../../../http/options.ts";

/** Red, green and blue, from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The grounds of the page's styles that something in the accent stands on, in each theme. */
export const GROUNDS = {
  light: { card: "#fffefb", paper: "#f6f4ee", fill: "#efece4" },
  dark: { card: "#1b1f22", paper: "#131618", fill: "#272c30" },
} as const;

/** The contrast that text needs with what it stands on (WCAG 2.2, success criterion 1.4.3). */
export const TEXT_CONTRAST = 4.5;
/** The contrast of a dark theme's accent with the card: above what is needed, as mint on graphite is. */
const DARK_CONTRAST = 7;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** A colour that is too light for the light theme. */
export interface TooLight {
  /** Its least contrast with what it would stand on, and the same for the ground's colour. */
  readonly ratio: number;
  readonly ground: string;
  /** The same hue, dark enough. */
  readonly nearest: string;
}

/**
 * The tokens of the page's styles for `colour`, which is written as CSS does, `#1f5c4a` or `#15a`. The light theme has it as it
 * is, and the dark one its hue, lightened; text in it, and on it, has the contrast it needs in both.
 */
export function deriveColours(colour: string): BrandColours | TooLight {
  const accent = parseHex(colour);
  const worst = worstGround(accent);
  if (worst.ratio < TEXT_CONTRAST) return { ...worst, nearest: toHex(darkenUntilFit(accent)) };
  const [hue, saturation] = toHsl(accent);
  const card = parseHex(GROUNDS.dark.card);
  const dark = lightenUntil(hue, saturation, (each) => contrast(each, card) >= DARK_CONTRAST);
  return {
    light: toTokens({
      accent,
      "accent-hover": mix(accent, BLACK, 0.18),
      "accent-press": mix(accent, BLACK, 0.34),
      "on-accent": WHITE,
      "accent-tint": mix(WHITE, accent, LIGHT_TINT),
      "accent-line": mix(WHITE, accent, 0.28),
    }),
    dark: toTokens({
      accent: dark,
      "accent-hover": mix(dark, WHITE, 0.25),
      "accent-press": mix(dark, WHITE, 0.5),
      "on-accent": fromHsl(hue, saturation, 0.1),
      "accent-tint": mix(card, dark, 0.1),
      "accent-line": mix(card, dark, 0.3),
    }),
  };
}

const LIGHT_TINT = 0.1;

function toTokens(colours: Readonly<Record<keyof BrandColours["light"], Rgb>>): BrandColours["light"] {
  return {
    accent: toHex(colours.accent),
    "accent-hover": toHex(colours["accent-hover"]),
    "accent-press": toHex(colours["accent-press"]),
    "on-accent": toHex(colours["on-accent"]),
    "accent-tint": toHex(colours["accent-tint"]),
    "accent-line": toHex(colours["accent-line"]),
  };
}

/** The contrast of two colours, written as CSS does, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  return contrast(parseHex(one), parseHex(other));
}

/** The ground of the light theme that has the least contrast with `accent`. Its tint is one of them. */
function worstGround(accent: Rgb): { readonly ratio: number; readonly ground: string } {
  const grounds = [...Object.values(GROUNDS.light), toHex(mix(WHITE, accent, LIGHT_TINT))];
  const [worst] = grounds
    .map((ground) => ({ ratio: contrast(accent, parseHex(ground)), ground }))
    .toSorted((a, b) => a.ratio - b.ratio);
  return worst ?? { ratio: 1, ground: toHex(accent) };
}

/** The lightest colour of the hue of `accent` that can be read on every ground of the light theme. */
function darkenUntilFit(accent: Rgb): Rgb {
  const [hue, saturation] = toHsl(accent);
  for (let lightness = 100; lightness > 0; lightness--) {
    const colour = fromHsl(hue, saturation, lightness / 100);
    if (worstGround(colour).ratio >= TEXT_CONTRAST) return colour;
  }
  return BLACK;
}

/** The darkest colour of a hue that `fits`. */
function lightenUntil(hue: number, saturation: number, fits: (colour: Rgb) => boolean): Rgb {
  for (let lightness = 0; lightness < 100; lightness++) {
    const colour = fromHsl(hue, saturation, lightness / 100);
    if (fits(colour)) return colour;
  }
  return WHITE;
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 1, darker = 1] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance, from 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** `share` of `other` in `one`. */
function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(one[index] * (1 - share) + other[index] * share);
  return [channel(0), channel(1), channel(2)];
}

/** Hue, saturation and lightness, each from 0 to 1 (CSS Color 4, section 7). */
function toHsl([red, green, blue]: Rgb): readonly [hue: number, saturation: number, lightness: number] {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
  const [range, lightness] = [max - min, (max + min) / 2];
  if (range === 0) return [0, 0, lightness];
  const sixth = max === r ? (g - b) / range + 6 : max === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return [(sixth % 6) / 6, range / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const channel = (offset: number) => {
    const k = (offset + hue * 12) % 12;
    const range = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - range * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

function parseHex(colour: string): Rgb {
  const digits = colour.slice(1);
  const long = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}

function toHex(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
