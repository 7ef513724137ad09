import type { NoticeKind } from "../../contract/states.ts";
import type { MailOffState } from "../../domain/mails/off-paths.ts";
import type { DocumentTexts, PageSources, PlaceKind } from "../options.ts";
import type { PlacedBrand } from "./brands.ts";
import { escapeHtml as escape } from "./html.ts";
import { previewOf } from "./previews.ts";
import { LINK_SEAL, LOCK, MARK, WARNING_SEAL } from "./screens.ts";

/** The background color, for the browser's own controls around the page. The same as in the page's styles. */
export const GROUND = { light: "#f0f3ee", dark: "#101413" } as const;

/** The files that a document refers to. */
export interface DocumentParts {
  readonly texts: DocumentTexts;
  readonly preloads: PageSources["preloads"];
  readonly person: PageSources["person"];
  readonly brand: PlacedBrand;
  /** The folder of the page's files, below the top of the site. */
  readonly folder: string;
  /** The relative path from the document to the top of the site, which may lie below a path: `../../`. */
  readonly wayUp: string;
}

/** A reader of a document, as far as it is known what their browser will need. */
export interface Reader {
  /** A language that has texts. */
  readonly language: string;
  /** True when the browser has a session, which may be over. */
  readonly hasSession: boolean;
}

/** The document of the page. `baseUrl` is the address of the site, which a preview's picture needs. */
export function pageDocument(kind: PlaceKind, reader: Reader, baseUrl: string, parts: DocumentParts): string {
  const { texts, preloads, person, brand, folder, wayUp } = parts;
  const needed = kind === "home" && reader.hasSession ? [preloads.home, person] : [preloads[kind]];
  const chunks = needed.flatMap(({ scripts, texts: spoken }) => [...scripts, ...(spoken[reader.language] ?? [])]);
  const { title, description } = previewOf(kind, brand.name);
  const files = `${wayUp}${folder}/`;
  const head = [
    meta("description", description),
    property("og:type", "website"),
    property("og:site_name", brand.name),
    property("og:title", title),
    property("og:description", description),
    ...(brand.touchIcon === undefined ? [] : [property("og:image", `${baseUrl}/${brand.touchIcon}`)]),
    ...brandMetadata(parts),
    // A recipient opens a link once, and needs no app.
    ...(kind === "home" || kind === "sign-in" ? [`<link rel="manifest" href="${wayUp}manifest.webmanifest">`] : []),
    ...sheetsOf(kind, reader).map((each) => `<link rel="stylesheet" href="${files}${each}">`),
    `<script type="module" src="${files}${kind}.js"></script>`,
    ...[...new Set(chunks)].map((each) => `<link rel="modulepreload" href="${files}${each}">`),
  ];
  const screen = `<div role="status"><p class="quiet early">${escape(texts.loading)}</p>
<div class="stack late">${headOfScreen(WARNING_SEAL, texts.late)}</div></div>
<noscript><div class="stack">${headOfScreen(WARNING_SEAL, texts.noScript)}</div></noscript>`;
  return documentOf({ title: brand.name, head, screen }, parts);
}

/** The document of an unknown address. It has no script. */
export function nowhereDocument(parts: DocumentParts): string {
  const { texts, brand, wayUp } = parts;
  const { nowhere } = texts;
  const screen = `<div class="stack">${headOfScreen(LINK_SEAL, nowhere)}
<p><a href="${wayUp === "" ? "./" : wayUp}">${escape(nowhere.start)}</a></p></div>`;
  return documentOf({ title: `${nowhere.title} · ${brand.name}`, head: [], screen }, parts);
}

/**
 * The document that switches mails of these kinds off. It has no script, and its address is that of the switch. Only
 * what it sends changes anything, because programs open the links in mails.
 */
export function mailOffDocument(state: MailOffState, kinds: readonly NoticeKind[], parts: DocumentParts): string {
  const { mailKinds, mailOff, mailIsOff, mailOffStale } = parts.texts;
  const list = `<ul>${kinds.map((kind) => `<li>${escape(mailKinds[kind])}</li>`).join("")}</ul>`;
  const text = { asks: mailOff, off: mailIsOff, stale: mailOffStale }[state];
  const form = `<form method="post"><button class="button main" type="submit">${escape(mailOff.button)}</button></form>`;
  const screen = `<div class="stack">${headOfScreen(LINK_SEAL, text)}
${state === "stale" ? "" : list}${state === "asks" ? form : ""}</div>`;
  return documentOf({ title: `${text.title} · ${parts.brand.name}`, head: [], screen }, parts);
}

function headOfScreen(seal: string, { title, text }: { readonly title: string; readonly text: string }): string {
  return `<div class="head">${seal}
<h1>${escape(title)}</h1>
<p class="lede">${escape(text)}</p></div>`;
}

/** A whole document: the parts that all have in common, `head`, and `screen` on the card. */
function documentOf(
  content: { readonly title: string; readonly head: readonly string[]; readonly screen: string },
  parts: DocumentParts,
): string {
  const { title, head, screen } = content;
  const { texts, brand, wayUp } = parts;
  return `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}" translate="no">
<head>
<meta name="google" content="notranslate">
${headOf(title, head, parts)}
</head>
<body class="alone">
<div id="page">
<header class="bar"><span class="brand">${markOf(brand, wayUp)}<span>${escape(brand.name)}</span></span></header>
<main class="page"><section class="card">
${screen}
</section></main>
${footOf(parts)}
</div>
</body>
</html>
`;
}

/** The sheets beside the first: strangers who open or hand in need none, and other strangers only the start page's. */
function sheetsOf(kind: PlaceKind, { hasSession }: Reader): readonly string[] {
  if (kind === "secret" || kind === "request") return [];
  return kind === "collect" || kind === "login" || hasSession ? ["person.css"] : ["start.css"];
}

/** What every document has in its head, with its files; `more` comes last. */
export function headOf(title: string, more: readonly string[], { brand, folder, wayUp }: DocumentParts): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${GROUND.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${GROUND.dark}" media="(prefers-color-scheme: dark)">
<title>${escape(title)}</title>
<link rel="icon" href="${wayUp}${brand.icon.path}" type="${brand.icon.type}">
${brand.touchIcon === undefined ? "" : `<link rel="apple-touch-icon" href="${wayUp}${brand.touchIcon}">\n`}\
<link rel="stylesheet" href="${wayUp}${folder}/app.css">
${brand.styles === undefined ? "" : `<link rel="stylesheet" href="${wayUp}${brand.styles}">\n`}\
${more.join("\n")}`;
}

/** The foot of every document. */
export function footOf({ texts, brand }: DocumentParts): string {
  return `<footer class="foot"><div class="foot-row"><p>${LOCK}<span>${escape(texts.promise)}</span></p>${linksOf(brand)}</div></footer>`;
}

/** The logo of a brand, else the product's mark. */
export function markOf({ logo, logoDark }: Pick<PlacedBrand, "logo" | "logoDark">, wayUp: string): string {
  if (logo === undefined) return MARK;
  const picture = `<img src="${wayUp}${logo}" alt="" width="28" height="28">`;
  if (logoDark === undefined) return picture;
  return `<picture><source srcset="${wayUp}${logoDark}" media="(prefers-color-scheme: dark)">${picture}</picture>`;
}

function linksOf({ contact, imprint, privacy }: PlacedBrand): string {
  const links = Object.entries({ Contact: contact, Imprint: imprint, Privacy: privacy }).flatMap(([text, href]) =>
    href === undefined ? [] : [`<li><a href="${escape(href)}">${text}</a></li>`],
  );
  return links.length === 0 ? "" : `<ul>${links.join("")}</ul>`;
}

/** The brand for the script of the page: `src/web/browser/brand.ts` reads it. */
function brandMetadata({ brand, wayUp }: DocumentParts): readonly string[] {
  const found = {
    "application-name": brand.name,
    "handoff-logo": brand.logo && wayUp + brand.logo,
    "handoff-logo-dark": brand.logoDark && wayUp + brand.logoDark,
    "handoff-contact": brand.contact,
    "handoff-imprint": brand.imprint,
    "handoff-privacy": brand.privacy,
  };
  return Object.entries(found).flatMap(([name, content]) => (content === undefined ? [] : [meta(name, content)]));
}

function meta(name: string, content: string): string {
  return `<meta name="${name}" content="${escape(content)}">`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escape(content)}">`;
}
