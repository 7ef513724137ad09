import { ID_PREFIXES, idPattern, isId } from "../../../contract/ids.ts";
import { LINK_KINDS } from "../../../contract/links.ts";
import { CommandError, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

type Kind = "secret" | "request";

/** The ID in an argument, or in a link on standard input or at a prompt. Throws CommandError for other arguments. */
export async function readLeaked(terminal: Terminal, kind: Kind, argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== "-") {
    if (isId(argument.toLowerCase(), kind)) return argument.toLowerCase();
    throw usageError(
      `This isn't the ID of a ${kind}: it has 30 characters: ${ID_PREFIXES[kind]}, then digits and the letters a to v. Give a link on standard input, because others can see arguments.`,
    );
  }
  const text = terminal.isTerminal.in
    ? await terminal.ask("Link (not shown): ", { hidden: true })
    : new TextDecoder().decode(await terminal.readAll());
  const line = (text ?? "").trim();
  if (isId(line.toLowerCase(), kind)) return line.toLowerCase();
  const letters =
    kind === "secret" ? LINK_KINDS.secret.letter : `[${LINK_KINDS.request.letter}${LINK_KINDS.backup.letter}]`;
  const [, id] = new RegExp(String.raw`^[^\s#?]*/${letters}/(${idPattern(kind)})(?:[#?/]\S*)?$`).exec(line) ?? [];
  if (id !== undefined) return id;
  throw new CommandError(`That's neither the ID of a ${kind} nor a link to one.`, "usage");
}
