import { toHarmlessAddress } from "../domain/addressees.ts";
import { mailOffPath } from "../domain/mails/off-paths.ts";
import { isTimeZone } from "../domain/mails/time-zones.ts";
import type { Letter } from "../domain/ports/mails.ts";
import type { Notice } from "../domain/ports/notices.ts";
import { CODE_SECONDS } from "../domain/signing-in/mail-codes.ts";
import { textsIn } from "./languages/languages.ts";
import type { MailTexts } from "./languages/texts.ts";

/** The look of the page, as far as a mail has it: colors in CSS's hexadecimal form. */
export interface MailLook {
  /** The address of the page, without a slash at its end. */
  readonly baseUrl: string;
  /** The name of the brand, or of the product. */
  readonly name: string;
  readonly accent: { readonly light: string; readonly dark: string };
}

/** The parts of a mail that people read. */
export interface MailDocument {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The address that switches such mails off (RFC 8058); undefined for mails that can't be. */
  readonly unsubscribe?: string;
}

/** Keeps an ID from left to right (left-to-right mark). */
const LRM = "\u200E";
/** The number of characters at the end of an ID that tell it from others, as the page shows them. */
const SHOWN_ID_LENGTH = 6;

/** A part of a mail: a paragraph, a code with its label, or an address with what it is. */
type Part =
  string | { readonly label: string; readonly code: string } | { readonly label: string; readonly url: string };

/** Writes a mail. No code is in a subject: a locked phone shows that to everybody beside it. */
export function writeMail(letter: Letter, look: MailLook): MailDocument {
  switch (letter.kind) {
    case "sign_in_code":
      return writeCode(letter, look);
    case "proof_code":
      return writeProofCode(letter, look);
    case "notices":
      return writeNotices(letter, look);
    case "passkey_added":
      return writePasskeyAdded(letter, look);
    case "key_ends":
      return writeKeyEnds(letter, look);
    case "test":
      return writeTest(look);
  }
}

function writeCode(letter: Letter & { readonly kind: "sign_in_code" }, look: MailLook): MailDocument {
  const texts = textsIn(letter.language);
  const server = hostOf(look);
  const say = (text: string, team = "") => fill(text, { server, team, minutes: String(CODE_SECONDS / 60) });
  const [only, ...more] = letter.codes;
  const codes = letter.codes.map(({ team, code }) => ({
    label: say(only && more.length === 0 ? texts.code : texts.codeOfTeam, team),
    code: inGroups(code),
  }));
  const before = [say(texts.asked), ...namesOf(texts.browser, letter.browser, letter.system)];
  const after = [texts.validity, texts.warning, texts.ignore].map((text) => say(text));
  return { subject: say(texts.subject), ...lay(texts, look, [...before, ...codes, ...after]) };
}

function writeProofCode(letter: Letter & { readonly kind: "proof_code" }, look: MailLook): MailDocument {
  const texts = textsIn(letter.language);
  const say = (text: string) => fill(text, { server: hostOf(look), minutes: String(CODE_SECONDS / 60) });
  const parts = [
    say(texts.proofAsked),
    ...namesOf(texts.browser, letter.browser, letter.system),
    { label: texts.code, code: inGroups(letter.code) },
    ...[texts.proofValidity, texts.proofWarning, texts.proofIgnore].map(say),
  ];
  return { subject: say(texts.subject), ...lay(texts, look, parts) };
}

/** A code in two groups, as it is read out. */
function inGroups(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** What the texts of each kind of notice are called. */
const NOTICE_TEXTS = { opened: "opened", ending: "ending", handed_in: "handedIn", asked: "approval" } as const;

function writeNotices(letter: Letter & { readonly kind: "notices" }, look: MailLook): MailDocument {
  const texts = textsIn(letter.language);
  const { notices, more, timeZone } = letter;
  const time = createTimeFormat(texts.language, timeZone);
  const kinds = [...new Set(notices.map(({ kind }) => kind))];
  const lines = notices.flatMap((notice) => {
    const { kind, id, reference, createdAt, at } = notice;
    const said = fill(texts[`${NOTICE_TEXTS[kind]}Line`], { sent: time(createdAt), at: time(at) });
    const ticket = reference === null ? "" : `${fill(texts.ticket, { ticket: reference })} · `;
    const line = `${said} ${ticket}${fill(texts.idEnd, { id: `${LRM}…${id.slice(-SHOWN_ID_LENGTH)}${LRM}` })}`;
    return notice.kind === "asked" ? [line, ...describeAsk(notice.ask, texts)] : [line];
  });
  const advice = kinds.map((kind) => texts[`${NOTICE_TEXTS[kind]}Advice`]);
  const unsubscribe = `${look.baseUrl}${mailOffPath(letter, kinds)}`;
  const parts = [
    ...lines,
    ...(more > 0 ? [fill(texts.more, { count: String(more) })] : []),
    ...advice,
    { label: texts.activity, url: `${look.baseUrl}/activity` },
    { label: texts.off, url: unsubscribe },
  ];
  const [only, ...others] = notices;
  // Somebody waits.
  const subject = kinds.includes("asked")
    ? texts.approval
    : only && others.length === 0
      ? texts[NOTICE_TEXTS[only.kind]]
      : texts.several;
  return { subject, unsubscribe, ...lay(texts, look, parts) };
}

/** The words of an ask, which nobody can say who only has the link, and the address that was proven. */
function describeAsk({ words, address }: (Notice & { readonly kind: "asked" })["ask"], texts: MailTexts): string[] {
  const proven =
    address === null ? texts.approvalNobody : fill(texts.approvalAddress, { address: toHarmlessAddress(address) });
  return [fill(texts.approvalWords, { words: words.split(" ").join(", ") }), proven];
}

function writePasskeyAdded(
  { language, browser, system }: Letter & { readonly kind: "passkey_added" },
  look: MailLook,
): MailDocument {
  const texts = textsIn(language);
  const parts = [
    fill(texts.passkeyLine, { server: hostOf(look) }),
    ...namesOf(texts.passkeyBrowser, browser, system),
    texts.passkeyAdvice,
    { label: texts.account, url: `${look.baseUrl}/account` },
  ];
  return { subject: texts.passkey, ...lay(texts, look, parts) };
}

/** A line with a browser and its system, as they called themselves; none when both are unknown. */
function namesOf(label: string, browser: string | undefined, system: string | undefined): string[] {
  const names = [browser, system].filter((name) => name !== undefined);
  return names.length > 0 ? [`${label} ${names.join(", ")}`] : [];
}

/** The mail to the contact of the server, in English as all that admins read. */
function writeKeyEnds({ keys }: Letter & { readonly kind: "key_ends" }, look: MailLook): MailDocument {
  const texts = textsIn("en");
  const server = hostOf(look);
  const time = createTimeFormat("en", "UTC");
  const lines = keys.map(
    ({ id, identity, team, expiresAt }) =>
      `The key of ${identity} in the team ${team} ends on ${time(expiresAt)}. Its ID is ${id}.`,
  );
  const advice = "Replace a key with 'handoff admin key rotate ID', or let it end.";
  const subject = keys.length === 1 ? `A key for ${server} ends soon` : `${keys.length} keys for ${server} end soon`;
  return { subject, ...lay(texts, look, [...lines, advice]) };
}

/** The mail of `handoff admin mail test`, in English as all that admins read. */
function writeTest(look: MailLook): MailDocument {
  const server = hostOf(look);
  const parts = [
    `This is a test mail of ${server}.`,
    "It was sent by 'handoff admin mail test'. Codes to sign in come from the same address.",
  ];
  return { subject: `Test mail of ${server}`, ...lay(textsIn("en"), look, parts) };
}

/** Formats times for a reader. UTC stands in for a time zone that this machine doesn't know. */
function createTimeFormat(language: string, timeZone: string): (epochMs: number) => string {
  const parts = { day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit" } as const;
  const create = (zone: string) =>
    new Intl.DateTimeFormat(language, { ...parts, timeZone: zone, timeZoneName: "short" });
  const format = isTimeZone(timeZone) ? create(timeZone) : create("UTC");
  return (epochMs) => format.format(epochMs);
}

function hostOf({ baseUrl }: MailLook): string {
  return new URL(baseUrl).host;
}

function lay({ language, direction }: MailTexts, { name, accent }: MailLook, parts: readonly Part[]) {
  return {
    text: `${parts.map(toText).join("\n\n")}\n\n-- \n${name}\n`,
    html: `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(name)}</title>
<style>${styles(accent)}</style>
</head>
<body class="paper">
<div class="card">
<p class="brand">${escape(name)}</p>
${parts.map(toHtml).join("\n")}
</div>
</body>
</html>
`,
  };
}

function toText(part: Part): string {
  if (typeof part === "string") return part;
  return "code" in part ? `${part.label}\n\n    ${part.code}` : `${part.label}\n${part.url}`;
}

function toHtml(part: Part): string {
  if (typeof part === "string") return `<p>${escape(part)}</p>`;
  const label = escape(part.label);
  if ("code" in part) return `<p>${label}</p>\n<p class="code" dir="ltr">${escape(part.code)}</p>`;
  const url = escape(part.url);
  return `<p>${label}<br>\n<a href="${url}" dir="ltr">${url}</a></p>`;
}

/** The colors of the page. */
const THEMES = {
  light: { paper: "#f0f3ee", card: "#fdfefc", ink: "#15201a" },
  dark: { paper: "#101413", card: "#181e1c", ink: "#ebeee9" },
} as const;

function styles(accent: MailLook["accent"]): string {
  const colors = (theme: "light" | "dark") => {
    const { paper, card, ink } = THEMES[theme];
    return `.paper{background:${paper};color:${ink}}.card{background:${card}}.brand,.code,a{color:${accent[theme]}}`;
  };
  return [
    ":root{color-scheme:light dark}",
    ".paper{margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
    ".card{max-width:480px;margin:0 auto;padding:24px;border-radius:12px}",
    ".brand{margin-top:0;font-weight:600}",
    "a{overflow-wrap:anywhere}",
    ".code{font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:2px}",
    colors("light"),
    `@media(prefers-color-scheme:dark){${colors("dark")}}`,
  ].join("");
}

/** Puts values into a text. A value isn't looked at for placeholders. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
