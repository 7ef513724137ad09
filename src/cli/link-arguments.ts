import { type Terminal, usageError } from "./terminal.ts";

const IDS = {
  secret: { pattern: /^sec_[0-9a-v]{26}$/, article: "a secret", prefix: "sec_", link: " A link starts with http." },
  request: { pattern: /^req_[0-9a-v]{26}$/, article: "a request", prefix: "req_", link: "" },
} as const;

/**
 * Reads an id. Throws CommandError for anything else: a link from its id on has the key to the secret in it, which must not
 * go to a server as part of an address.
 */
export function parseId(kind: keyof typeof IDS, text: string): string {
  if (IDS[kind].pattern.test(text)) return text;
  const { article, prefix, link } = IDS[kind];
  throw usageError(`This isn't the ID of ${article}. An ID has 30 characters and starts with ${prefix}.${link}`);
}

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
