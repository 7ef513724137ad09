import { parseBaseUrl } from "../../client/base-urls.ts";
import { ID_PREFIXES, isId } from "../../contract/ids.ts";
import { linkKindOf } from "../../contract/links.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import { parseRequestLink } from "../../crypto/request-links.ts";
import { parseSecretLink } from "../../crypto/secret-links.ts";
import { usageError } from "../terminal/terminal.ts";
import type { CommandError, Terminal } from "../terminal/terminal.ts";

const IDS = {
  secret: { article: "a secret", link: " A link starts with http." },
  request: { article: "a request", link: "" },
} as const;

/** Reads an id. Throws CommandError for anything else, such as a link, whose key must not reach the server. */
export function parseId(kind: keyof typeof IDS, text: string): string {
  if (isId(text, kind)) return text;
  const { article, link } = IDS[kind];
  throw usageError(`This isn't the ID of ${article}. An ID has 30 characters: ${formOf(kind)}.${link}`);
}

function formOf(...kinds: readonly (keyof typeof IDS)[]): string {
  return `${kinds.map((kind) => ID_PREFIXES[kind]).join(" or ")}, then digits and the letters a to v`;
}

/** Throws CommandError for a text that is no link and no ID of these kinds, whatever may be wrong with a link. */
export function checkForm(text: string, ...kinds: readonly (keyof typeof IDS)[]): void {
  if (/[/#]|%2[3f]/i.test(text) || kinds.some((kind) => text.startsWith(ID_PREFIXES[kind]))) return;
  throw usageError(
    `This is neither a link nor an ID. A link starts with http. An ID has 30 characters: ${formOf(...kinds)}. Its last six will do for what you sent or asked for.`,
  );
}

/** The ID in a link to a secret of the server that the user is logged in to. Throws LinkError and CommandError. */
export function idOfOwnLink(text: string, baseUrl: string): string {
  return ownId(parseSecretLink(text), baseUrl);
}

/** The same for a link of a request, or the backup link for it; undefined for a text that has the path of neither. */
export function requestOfOwnLink(text: string, baseUrl: string): string | undefined {
  switch (linkKindOf(text)) {
    case "request":
      return ownId(parseRequestLink(text), baseUrl);
    case "backup":
      return ownId(parseBackupLink(text), baseUrl);
    default:
      return undefined;
  }
}

function ownId(link: { readonly baseUrl: string; readonly id: string }, baseUrl: string): string {
  if (parseBaseUrl(link.baseUrl, true) === baseUrl) return link.id;
  throw usageError(`the link is of another server than ${baseUrl}, which you are logged in to`);
}

/** An ID, or the end of one. Some programs and people write it in capital letters. */
const ANY_CASE_ID = /^([a-z]{3}_[0-9a-v]{26}|[0-9a-v]{6})$/i;

function withSmallLetters(text: string): string {
  return ANY_CASE_ID.test(text) ? text.toLowerCase() : text;
}

/** The ways to give a command a link: the command that prompts for it, and the text of the prompt. */
export interface LinkPrompt {
  readonly command: string;
  readonly question?: string;
}

/** The link, or the id in any case, from an argument, standard input or a prompt. Throws CommandError. */
export async function readLink(
  terminal: Terminal,
  argument: string | undefined,
  { command, question = "Link: " }: LinkPrompt,
): Promise<string> {
  if (argument !== undefined && argument !== "-") {
    warnOfArgument(terminal, argument, command);
    return withSmallLetters(argument.trim());
  }
  const text = terminal.isTerminal.in
    ? await terminal.ask(question)
    : new TextDecoder().decode(await terminal.readAll());
  const [line = "", ...more] = (text ?? "")
    .split(/\r?\n/)
    .map((each) => each.trim())
    .filter(Boolean);
  if (line === "") throw usageError("No link was given.");
  if (more.length > 0) throw manyLines();
  return withSmallLetters(line);
}

/** The error for several lines, any of which could be the link. */
export function manyLines(): CommandError {
  return usageError("Standard input has more than one line, and a link is one line.");
}

/** Warns on a terminal that a link should not be an argument. An id may be one. */
export function warnOfArgument({ isTerminal, say }: Terminal, argument: string, command: string): void {
  if (!isTerminal.err || !argument.includes("#")) return;
  say(
    `Warning: other users of this machine can see a link that is an argument, and your shell keeps it. Next time, run '${command}' and paste the link.`,
  );
}
