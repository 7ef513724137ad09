import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { getInvitation } from "../../client/requests.ts";
import { openNote, submitSecret } from "../../client/submissions.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import { addConnectionFlags, connectByLink, type ConnectionFlags } from "../connections.ts";
import { reasonOf } from "../private-files.ts";
import { createProgress } from "../progress.ts";
import { readSource } from "../sources.ts";
import { printable, type Terminal, usageError } from "../terminal.ts";
import { formatTime } from "../times.ts";

interface SubmitFlags extends ConnectionFlags {
  readonly linkFile?: string;
  readonly env?: string;
}

/** `handoff submit` */
export function addSubmit(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("submit"))
    .argument("[link]", "The request link; asked for without it.")
    .argument("[files...]", "Files and folders. Without any, standard input; on a terminal, a hidden prompt.")
    .description("Hand a secret in through a request link. Needs no account.")
    .option("--link-file <file>", "Take the link from a file; then all arguments are files.")
    .option("--env <name>", "Hand in the value of this environment variable.")
    .addHelpText(
      "after",
      `
Examples:
  handoff submit 'https://handoff.example/r/req_…#1.…'
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
  const text = isFromFile ? readLinkFile(flags.linkFile) : (argument ?? (await terminal.ask("Request link: ")));
  if (!text) throw usageError("no request link was given");
  const link = parseRequestLink(text);
  const { submitToken, notePassphrase } = await deriveRequestKeys(link.seed);
  const server = { baseUrl: link.baseUrl, token: submitToken };
  const client = connectByLink(terminal, flags, server, terminal.interruptible());
  const { recipient, note, expiresAt } = await getInvitation(client, link);
  if (note) terminal.say(`You are asked for: ${printable(await openNote(note, notePassphrase))}`);
  terminal.say(`It can be handed in until ${formatTime(expiresAt)}, and only who asks can read it.`);
  const all = isFromFile && argument !== undefined ? [argument, ...files] : files;
  const payload = await readSource(terminal, { files: all, env: flags.env, argumentsBefore: isFromFile ? 0 : 1 });
  const progress = createProgress(terminal);
  const { onProgress } = progress;
  const receipt = await submitSecret(client, { requestId: link.id, recipient, payload, onProgress });
  progress.end();
  if (flags.json) terminal.out(`${JSON.stringify(receipt)}\n`);
  else terminal.say(`Handed in, encrypted, as ${receipt.secret_id}.`);
}

function readLinkFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw usageError(`--link-file: can't read '${path}': ${reasonOf(error)}.`);
  }
}
