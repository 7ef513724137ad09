import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { getInvitation } from "../../client/requests.ts";
import { openNote, submitSecret } from "../../client/submissions.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import { readSource } from "../files/sources.ts";
import { addConnectionFlags, connectByLink } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { readLink } from "../handovers/link-arguments.ts";
import { createProgress } from "../terminal/progress.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { sayNote } from "../terminal/notes.ts";
import { formatJson, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

interface SubmitFlags extends ConnectionFlags {
  readonly linkFile?: string;
  readonly env?: string;
}

const PROMPT = { command: "handoff submit", question: "Request link: " } as const;

/** `handoff submit` */
export function addSubmit(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("submit"))
    .argument("[link]", "The request link. Leave it out, and you're asked for it; - reads it from standard input.")
    .argument("[files...]", "Files and folders. Without any, standard input; on a terminal, a hidden prompt.")
    .description("Hand a secret in through a request link. Needs no account.")
    .option("--link-file <file>", "Take the link from a file; then all arguments are files.")
    .option("--env <name>", "Hand in the value of this environment variable.")
    .addHelpText(
      "after",
      `
Examples:
  handoff submit
  handoff submit - credentials.json < request.txt
  handoff submit --link-file request.txt credentials.json`,
    )
    .action((link: string | undefined, files: string[], flags: SubmitFlags) => submit(terminal, link, files, flags));
}

async function submit(
  terminal: Terminal,
  argument: string | undefined,
  files: readonly string[],
  flags: SubmitFlags,
): Promise<void> {
  const isFromFile = flags.linkFile !== undefined;
  const isInputTaken = !isFromFile && argument === "-" && !terminal.isTerminal.in;
  const text = isFromFile ? readLinkFile(flags.linkFile) : await readRequestLink(terminal, argument);
  const link = parseRequestLink(text);
  const { submitToken, notePassphrase } = await deriveRequestKeys(link.seed);
  const server = { baseUrl: link.baseUrl, token: submitToken };
  const client = connectByLink(terminal, flags, server, terminal.interruptible());
  const { recipient, note, expiresAt } = await getInvitation(client, link);
  if (note) sayNote(terminal, await openNote(note, notePassphrase));
  terminal.say(`You can hand it in until ${formatTime(expiresAt)}. Only the person who asked can read it.`);
  const all = isFromFile && argument !== undefined ? [argument, ...files] : files;
  const payload = await readSource(terminal, {
    files: all,
    env: flags.env,
    argumentsBefore: isFromFile ? 0 : 1,
    isInputTaken,
  });
  const progress = createProgress(terminal);
  const { onProgress } = progress;
  const receipt = await submitSecret(client, { requestId: link.id, recipient, content: payload, onProgress });
  progress.end();
  if (flags.json) terminal.out(formatJson(receipt));
  else terminal.say(`Handed in, encrypted, as ${receipt.secret_id}.`);
}

/** Standard input is for the secret, unless the link is `-`. */
async function readRequestLink(terminal: Terminal, argument: string | undefined): Promise<string> {
  if (argument !== undefined) return readLink(terminal, argument, PROMPT);
  const text = await terminal.ask(PROMPT.question);
  if (!text) throw usageError("No request link was given. Use --link-file, or - to read it from standard input.");
  return text;
}

function readLinkFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw usageError(`--link-file: can't read '${path}': ${reasonOf(error)}.`);
  }
}
