import { expect, test } from "bun:test";
import { isSecretName } from "../../../src/web/contents/lines.ts";
import { chooseLanguage, LANGUAGES } from "../../../src/web/languages/languages.ts";
import { loadStrings, TAGS } from "../../support/languages.ts";

const OTHERS = TAGS.filter((tag) => tag !== "en");

/** Texts that are equal in all languages: names, and files that the command line writes too. */
const SHARED = /^(language|direction|name|frame\.api|opened\.(archive|textFile)|send\.passphrase|activity\.facts\.id)$/;
/** Counts in each plural category of some language. */
const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000];

/** All texts of a language by path; texts with parameters are functions. */
function textsOf(value: unknown, path = ""): readonly (readonly [path: string, text: unknown])[] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, path === "" ? key : `${path}.${key}`));
}

type AnyText = (...values: readonly unknown[]) => unknown;

/** `count` marks that can be found in a text again, as strings or as numbers in the language's format. */
const marks = (count: number) => Array.from({ length: count }, (_, at) => 7001 + at);

/** The texts that a function makes of `values`, by the paths in its result. */
const made = (text: AnyText, values: readonly unknown[]) =>
  textsOf(text(...values)).map(([path, each]) => [path, String(each)] as const);

/** The marks in `text`, in any digits and grouping of the language. */
const found = (text: string, values: readonly number[]) =>
  values.filter((value) => text.replace(/[\s.,'’\u00A0\u202F]/g, "").includes(String(value)));

test("every language has the same texts as English; none is empty or still in English", async () => {
  const english = new Map(textsOf(await loadStrings("en")));
  for (const tag of OTHERS) {
    const texts = textsOf(await loadStrings(tag));
    expect({ tag, paths: texts.map(([path]) => path).toSorted() }).toEqual({
      tag,
      paths: [...english.keys()].toSorted(),
    });
    const empty = texts.filter(([, text]) => typeof text === "string" && text.trim() === "");
    expect({ tag, empty }).toEqual({ tag, empty: [] });
    const same = texts.filter(
      ([path, text]) =>
        typeof text === "string" && text.length > 12 && text === english.get(path) && !SHARED.test(path),
    );
    expect({ tag, same }).toEqual({ tag, same: [] });
  }
});

test("every text contains the same names, times and numbers in every language", async () => {
  const english = textsOf(await loadStrings("en")).filter(
    (entry): entry is readonly [string, AnyText] => typeof entry[1] === "function",
  );
  for (const tag of OTHERS) {
    const texts = new Map(textsOf(await loadStrings(tag)));
    for (const [path, text] of english) {
      const values = marks(text.length);
      const other = texts.get(path) as AnyText;
      const said = (each: AnyText) => made(each, values).map(([at, one]) => [at, found(one, values)]);
      expect({ tag, path, said: said(other) }).toEqual({ tag, path, said: said(text) });
    }
  }
});

test("every language has a form for every number, with the number or a word for it", async () => {
  for (const tag of TAGS) {
    for (const [path, text] of textsOf(await loadStrings(tag))) {
      if (typeof text !== "function") continue;
      for (const count of COUNTS) {
        for (const [at, one] of made(
          text as AnyText,
          Array.from({ length: text.length }, () => count),
        )) {
          expect({ tag, path, at, count, isWhole: !/undefined|NaN|\{n\}|\[object/.test(one) }).toEqual({
            tag,
            path,
            at,
            count,
            isWhole: true,
          });
        }
      }
    }
  }
});

test("each language is named in itself, and has the tag under which it is offered", async () => {
  for (const tag of TAGS) {
    const { language, direction } = await loadStrings(tag);
    expect({ language, direction }).toEqual({ language: tag, direction: LANGUAGES[tag].direction });
    const own = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? "";
    expect(LANGUAGES[tag].name.toLocaleLowerCase(tag)).toContain(own.split(" ")[0]?.toLocaleLowerCase(tag) ?? "");
  }
});

test("a browser gets its first language that the page supports, in any region, or else English", () => {
  expect(chooseLanguage([])).toBe("en");
  expect(chooseLanguage(["xx", "en-GB", "de"])).toBe("en");
  expect(chooseLanguage(["xx"])).toBe("en");
  for (const tag of TAGS) {
    expect(chooseLanguage(["xx-YY", tag])).toBe(tag);
    expect(chooseLanguage([`${tag.split("-")[0]}-ZZ`, "en"])).toBe(tag);
  }
});

test("the fields of a form that hold a secret have names that hide them at first, in every language", async () => {
  for (const tag of TAGS) {
    const { names } = (await loadStrings(tag)).ask.form;
    const hidden = Object.entries(names).filter(([, name]) => isSecretName(name));
    expect({ tag, hidden: hidden.map(([field]) => field) }).toEqual({ tag, hidden: ["password", "key", "token"] });
  }
});
