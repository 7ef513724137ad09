import { type Terminal, usageError } from "./terminal.ts";

/** The link that a command was given: as an argument, on standard input, or at a prompt. Throws CommandError. */
export async function readLink(terminal: Terminal, argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== "-") return argument.trim();
  const isTyped = terminal.isTerminal.in && argument === undefined;
  const text = isTyped ? await terminal.ask("Link: ") : new TextDecoder().decode(await terminal.readAll());
  const [line = "", ...more] = (text ?? "")
    .split(/\r?\n/)
    .map((each) => each.trim())
    .filter(Boolean);
  if (line === "") throw usageError("no link was given");
  if (more.length > 0) throw usageError("standard input has more than one line, and a link is one");
  return line;
}
