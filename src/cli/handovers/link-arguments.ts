import { ID_PREFIXES, isId } from "../../contract/ids.ts";
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
  throw usageError(
    `This isn't the ID of ${article}. An ID has 30 characters and starts with ${ID_PREFIXES[kind]}.${link}`,
  );
}

/** The ways to give a command a link: the command that prompts for it, and the text of the prompt. */
export interface LinkPrompt {
  readonly command: string;
  readonly question?: string;
}

/** The link or id from an argument (with a warning), standard input or a prompt. Throws CommandError. */
export async function readLink(
  terminal: Terminal,
  argument: string | undefined,
  { command, question = "Link: " }: LinkPrompt,
): Promise<string> {
  if (argument !== undefined && argument !== "-") {
    warnOfArgument(terminal, argument, command);
    return argument.trim();
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
  return line;
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
