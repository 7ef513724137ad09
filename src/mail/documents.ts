import type { Letter } from "../domain/ports/mails.ts";
import { CODE_SECONDS } from "../domain/signing-in/mail-codes.ts";
import { textsIn } from "./languages/languages.ts";
import type { MailTexts } from "./languages/texts.ts";

/** The look of the page, as far as a mail has it: colors in CSS's hexadecimal form. */
export interface MailLook {
  /** The host of the page, with its port if it has one. */
  readonly server: string;
  /** The name of the brand, or of the product. */
  readonly name: string;
  readonly accent: { readonly light: string; readonly dark: string };
}

/** The parts of a mail that people read. */
export interface MailDocument {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A code, in two groups as it is read out, and what stands before it. */
interface ShownCode {
  readonly label: string;
  readonly code: string;
}

/** Writes a mail. The code isn't in the subject: a locked phone shows that to everybody beside it. */
export function writeMail(letter: Letter, look: MailLook): MailDocument {
  return letter.kind === "test" ? writeTest(look) : writeCode(letter, look);
}

function writeCode(letter: Letter & { readonly kind: "sign_in_code" }, look: MailLook): MailDocument {
  const texts = textsIn(letter.language);
  const { server } = look;
  const say = (text: string, team = "") => fill(text, { server, team, minutes: String(CODE_SECONDS / 60) });
  const [only, ...more] = letter.codes;
  const codes = letter.codes.map(({ team, code }) => ({
    label: say(only && more.length === 0 ? texts.code : texts.codeOfTeam, team),
    code: `${code.slice(0, 4)} ${code.slice(4)}`,
  }));
  const names = [letter.browser, letter.system].filter((name) => name !== undefined);
  const before = [say(texts.asked), ...(names.length > 0 ? [`${texts.browser} ${names.join(", ")}`] : [])];
  const after = [texts.validity, texts.warning, texts.ignore].map((text) => say(text));
  return { subject: say(texts.subject), ...lay(texts, look, { before, codes, after }) };
}

/** The mail of `handoff admin mail test`, in English as all that admins read. */
function writeTest(look: MailLook): MailDocument {
  const before = [
    `This is a test mail of ${look.server}.`,
    "It was sent by 'handoff admin mail test'. Codes to sign in come from the same address.",
  ];
  return { subject: `Test mail of ${look.server}`, ...lay(textsIn("en"), look, { before, codes: [], after: [] }) };
}

function lay(
  { language, direction }: MailTexts,
  { name, accent }: MailLook,
  of: { readonly before: readonly string[]; readonly codes: readonly ShownCode[]; readonly after: readonly string[] },
): Omit<MailDocument, "subject"> {
  const shown = of.codes.map(({ label, code }) => `${label}\n\n    ${code}`);
  const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${escape(text)}</p>`).join("\n");
  const codes = of.codes.map(
    ({ label, code }) => `<p>${escape(label)}</p>\n<p class="code" dir="ltr">${escape(code)}</p>`,
  );
  return {
    text: `${[...of.before, ...shown, ...of.after].join("\n\n")}\n\n-- \n${name}\n`,
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
${paragraphs(of.before)}
${codes.join("\n")}
${paragraphs(of.after)}
</div>
</body>
</html>
`,
  };
}

/** The colors of the page. */
const THEMES = {
  light: { paper: "#f0f3ee", card: "#fdfefc", ink: "#15201a" },
  dark: { paper: "#101413", card: "#181e1c", ink: "#ebeee9" },
} as const;

function styles(accent: MailLook["accent"]): string {
  const colors = (theme: "light" | "dark") => {
    const { paper, card, ink } = THEMES[theme];
    return `.paper{background:${paper};color:${ink}}.card{background:${card}}.brand,.code{color:${accent[theme]}}`;
  };
  return [
    ":root{color-scheme:light dark}",
    ".paper{margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
    ".card{max-width:480px;margin:0 auto;padding:24px;border-radius:12px}",
    ".brand{margin-top:0;font-weight:600}",
    ".code{font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:2px}",
    colors("light"),
    `@media(prefers-color-scheme:dark){${colors("dark")}}`,
  ].join("");
}

function fill(text: string, values: Readonly<Record<"server" | "team" | "minutes", string>>): string {
  return text.replaceAll(/\{(server|team|minutes)\}/g, (_, name: keyof typeof values) => values[name]);
}

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
