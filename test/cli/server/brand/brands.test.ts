import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBrand } from "../../../../src/cli/server/brand/brands.ts";
import { loadSettings } from "../../../../src/config/load.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const PNG = readFileSync(join(import.meta.dir, "../../../../src/web/static/touch-icon.png"));
const svg = (inside: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`;

const brandOf = (flags: Readonly<Record<string, string>>) => readBrand(loadSettings(flags, {}));

function fileOf(content: string | Uint8Array): string {
  const path = join(folder.path, crypto.randomUUID());
  writeFileSync(path, content);
  return path;
}

/** The complaint about a logo with this content; undefined when it is accepted. */
function complaintOf(content: string | Uint8Array): string | undefined {
  const path = fileOf(content);
  try {
    brandOf({ brandLogo: path });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(`'${path}' `, "") : "";
  }
}

test("without settings there is no brand", () => {
  expect(Object.values(brandOf({})).filter((each) => each !== undefined)).toEqual([]);
});

test("a brand comes from the settings, and a bare mail address becomes a mailto: link", () => {
  const [logo, dark] = [fileOf(svg("<path d='M0 0h8v8z'/>")), fileOf(PNG)];
  const brand = brandOf({
    brandName: " ACME ",
    brandLogo: logo,
    brandLogoDark: dark,
    brandColor: "#15a",
    contact: "it@acme.example",
    imprintUrl: "https://acme.example/imprint?a=1#b",
    privacyUrl: "http://intranet/privacy",
  });
  expect(brand).toMatchObject({
    name: "ACME",
    logo: { type: "image/svg+xml" },
    logoDark: { type: "image/png" },
    colors: { light: { accent: "#1155aa" } },
    contact: "mailto:it@acme.example",
    imprint: "https://acme.example/imprint?a=1#b",
    privacy: "http://intranet/privacy",
  });
  for (const contact of ["tel:+49-30-1234", "https://acme.example/help", "mailto:it@acme.example?subject=a"]) {
    expect(brandOf({ contact }).contact).toBe(contact);
  }
});

test("malformed or active addresses and names of more than a line are refused", () => {
  const wrong: readonly Readonly<Record<string, string>>[] = [
    ...[
      "javascript:alert(1)",
      "data:text/html,x",
      "acme",
      "https://",
      "http://acme.example",
      "tel:x",
      "it@",
      'a"b@c',
      "https://a b",
    ].map((contact) => ({ contact })),
    ...["acme.example", "ftp://acme.example", "mailto:it@acme.example", "https://me:pass@acme.example"].flatMap(
      (url) => [{ imprintUrl: url }, { privacyUrl: url }],
    ),
    ...["a\nb", "  ", "x".repeat(61), "a\u202eb"].map((brandName) => ({ brandName })),
    ...["green", "#12", "14563f", "#14563f80"].map((brandColor) => ({ brandColor })),
  ];
  for (const flags of wrong) expect(() => brandOf(flags)).toThrow(/^--[a-z-]+(?: is '[^]*')?: expected an? /);
  expect(() => brandOf({ brandLogoDark: fileOf(PNG) })).toThrow("--brand-logo-dark needs --brand-logo");
});

test("a color that is hard to read is refused with its contrast, the contrast needed, and a color that has it", () => {
  expect(() => brandOf({ brandColor: "#7cd3b1" })).toThrow(
    /^--brand-color: '#7cd3b1' is too light\. Its contrast with the light theme's #e6ebe4 is 1\.4, and text needs 4\.5\. The same hue has enough at '#[0-9a-f]{6}'\./,
  );
});

test("logos are accepted as drawing programs write them", () => {
  const drawings = [
    svg("<rect width='8' height='8' fill='url(#a)'/><defs><linearGradient id='a'><stop/></linearGradient></defs>"),
    `\uFEFF<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with a -> program -->\n${svg("<title>A &amp; B</title>")}\n`,
    // Adobe Illustrator.
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n<svg xmlns="&ns_svg;"/>`,
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:path d="M0 0"/></svg:svg>',
    `${"<!-- -->".repeat(2000)}${svg("")}`,
    PNG,
  ];
  for (const drawing of drawings) expect([drawing, complaintOf(drawing)]).toEqual([drawing, undefined]);
});

test("a file that is neither an SVG nor a PNG, or is too large or can't be read, is refused", () => {
  const others = [
    "",
    "GIF89a",
    "plain",
    PNG.subarray(0, 7),
    `<html xmlns="http://www.w3.org/1999/xhtml">${svg("")}</html>`,
    `<!DOCTYPE html>${svg("").replace("svg", "svgx")}`,
    `<!-- ${svg("")}`,
    `<!DOCTYPE html><html>${svg("")}</html>`,
    "<??>".repeat(5000),
  ];
  for (const each of others) expect([each, complaintOf(each)]).toEqual([each, expect.stringMatching(/neither an SVG/)]);
  expect(complaintOf("<svg><path/></svg>")).toContain('xmlns="http://www.w3.org/2000/svg" is missing');
  expect(complaintOf(svg("<!-- -->".repeat(3000)))).toContain("at most 20 KiB");
  expect(() => brandOf({ brandLogo: join(folder.path, "nothing") })).toThrow(/cannot be read: there is no such file$/);
  expect(() => brandOf({ brandLogo: folder.path })).toThrow(/cannot be read: it is a folder$/);
});
