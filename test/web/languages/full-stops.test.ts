import { expect, test } from "bun:test";
import { withSingleStops } from "../../../src/web/languages/full-stops.ts";
import { formatClock, nameDay } from "../../../src/web/parts/moments.ts";
import { loadStrings, TAGS } from "../../support/languages.ts";

/** How dates and times are written in some regions of a language, which may end with a period. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  en: ["en", "en-CA", "en-GB"],
  es: ["es", "es-MX", "es-AR"],
  fr: ["fr", "fr-CA"],
  "pt-BR": ["pt-BR", "pt-PT"],
};
const NOW = Date.parse("2026-11-24T10:00:00Z");
const TIMES = ["2026-11-24T14:58:00Z", "2026-11-30T14:58:00Z", "2027-01-30T02:58:00Z"];

/** The texts that functions make of `values`, with their paths. */
function textsMadeOf(text: unknown, values: readonly unknown[], path = ""): readonly (readonly [string, string])[] {
  if (typeof text === "string") return [[path, text]];
  if (typeof text === "function") {
    const made: unknown = text(...Array.from({ length: text.length }, (_, at) => values[at % values.length]));
    return textsMadeOf(made, values, path);
  }
  if (typeof text !== "object" || text === null) return [];
  return Object.entries(text).flatMap(([key, each]) => textsMadeOf(each, values, `${path}.${key}`));
}

test("a time that ends with a period ends a sentence without a second one", () => {
  const texts = withSingleStops({
    opened: (when: string) => `Opened ${when}. Ask the sender.`,
    nested: { revoked: (when: string) => ({ title: "Revoked", text: `Revoked ${when}.` }) },
    plain: "One moment...",
  });
  expect(texts.opened("today, 2:58 p.m.")).toBe("Opened today, 2:58 p.m. Ask the sender.");
  expect(texts.opened("today, 2:58 PM")).toBe("Opened today, 2:58 PM. Ask the sender.");
  expect(texts.nested.revoked("30 nov.")).toEqual({ title: "Revoked", text: "Revoked 30 nov." });
  expect(texts.plain).toBe("One moment...");
});

test("no text of any language ends a sentence twice, however its regions write days and times", async () => {
  let ended = 0;
  for (const tag of TAGS) {
    const strings = withSingleStops(await loadStrings(tag));
    for (const region of REGIONS[tag] ?? [tag]) {
      const whens = TIMES.flatMap((time) => {
        const { name, isNear } = nameDay(time, NOW, region);
        const day = isNear ? name : strings.onDay(name);
        return [day, strings.atTime(day, formatClock(time, region))];
      }).filter((when) => when.endsWith("."));
      ended += whens.length;
      for (const when of whens) {
        const twice = textsMadeOf(strings, [when]).filter(([, text]) => /\.\.(?!\.)/.test(text));
        expect({ region, when, twice }).toEqual({ region, when, twice: [] });
      }
    }
  }
  // In Canada and Latin America, "p.m." ends a time, and in some languages the month a day.
  expect(ended).toBeGreaterThan(5);
});
