import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, integer, property } from "fast-check";
import { contrastOf, deriveColors, GROUNDS, TEXT_CONTRAST } from "../../../../src/cli/server/brand/colors.ts";
import type { BrandColors } from "../../../../src/http/options.ts";
import { GROUND } from "../../../../src/http/pages/documents.ts";

const TOKENS = readFileSync(join(import.meta.dir, "../../../../src/web/styles/tokens.css"), "utf8");

/** The values that the page's styles give a token, first the light theme's. */
function valuesOf(token: string): readonly string[] {
  return [...TOKENS.matchAll(new RegExp(`--${token}: (#[0-9a-f]+)`, "g"))].map(([, value = ""]) => value);
}

/** All pairs of text and ground that have an accent in them. */
function pairsOf(theme: "light" | "dark", colors: BrandColors) {
  const tokens = colors[theme];
  const [light = "", dark = ""] = valuesOf("ink");
  const ink = theme === "light" ? light : dark;
  return [
    ...[...Object.values(GROUNDS[theme]), tokens["accent-tint"]].map((ground) => [tokens.accent, ground] as const),
    ...(["accent", "accent-hover", "accent-press"] as const).map(
      (each) => [tokens["on-accent"], tokens[each]] as const,
    ),
    ...(["flap", "flap-deep"] as const).map((each) => [tokens["on-flap"], tokens[each]] as const),
    [ink, tokens["accent-tint"]] as const,
  ];
}

test("the grounds are those of the page's styles", () => {
  for (const token of ["card", "paper", "fill"] as const) {
    expect(valuesOf(token)).toEqual([GROUNDS.light[token], GROUNDS.dark[token]]);
  }
  expect([GROUND.light, GROUND.dark]).toEqual([GROUNDS.light.paper, GROUNDS.dark.paper]);
});

test("contrast is computed as WCAG defines it", () => {
  expect(contrastOf("#000", "#ffffff")).toBe(21);
  expect(contrastOf("#777777", "#fff")).toBeCloseTo(4.48, 2);
  expect(contrastOf("#14563f", "#fdfefc")).toBeCloseTo(8.5, 1);
  expect(contrastOf("#7cd3b1", "#181e1c")).toBeCloseTo(9.5, 1);
});

test("a color gives accents of its hue for both themes", () => {
  const colors = deriveColors("#4338a8");
  if (!("light" in colors)) throw new Error("a readable color was refused");
  expect(colors.light).toEqual({
    accent: "#4338a8",
    "accent-hover": "#372e8a",
    "accent-press": "#2c256f",
    "on-accent": "#ffffff",
    "accent-tint": "#ecebf6",
    "accent-line": "#bbb7e0",
    flap: "#4338a8",
    "flap-deep": "#2f2776",
    "on-flap": "#ffffff",
  });
  expect(colors.dark.accent).toMatch(/^#([a-e])\w\1\we\w$/);
  for (const token of Object.keys(colors.light)) expect(valuesOf(token)).toHaveLength(2);
});

test("text in and on every accepted color has enough contrast, and refused colors have too little", () => {
  const channel = integer({ min: 0, max: 255 });
  const seen = { taken: 0, refused: 0 };
  assert(
    property(channel, channel, channel, (...channels) => {
      const color = `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
      const colors = deriveColors(color);
      if ("light" in colors) {
        seen.taken += 1;
        for (const theme of ["light", "dark"] as const) {
          for (const [one, other] of pairsOf(theme, colors)) {
            expect({ color, theme, one, other, ratio: contrastOf(one, other) >= TEXT_CONTRAST }).toMatchObject({
              ratio: true,
            });
          }
        }
      } else {
        seen.refused += 1;
        expect(colors.ratio).toBeLessThan(TEXT_CONTRAST);
        expect(contrastOf(color, colors.ground)).toBe(colors.ratio);
        // The suggested color is accepted.
        expect(Object.keys(deriveColors(colors.nearest))).toEqual(["light", "dark"]);
      }
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(20);
});
