import type { Command } from "commander";
import { getCredential } from "../../client/credentials.ts";
import type { LargeContent } from "../../client/large/sends.ts";
import type { Proving } from "../../client/large/uploads.ts";
import { getInvitation } from "../../client/requests.ts";
import { openNote } from "../../client/submissions.ts";
import { linkKindOf } from "../../contract/links.ts";
import type { Content } from "../../crypto/contents.ts";
import { decodeNote, namesOf } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import { readForm } from "../files/form-sources.ts";
import { findSource, followed } from "../files/large-sources.ts";
import { readTextFile } from "../files/text-files.ts";
import { addConnectionFlags, connectByLink } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { manyLines, readLink } from "../handovers/link-arguments.ts";
import { isUnproven, withProof } from "../handovers/proofs.ts";
import { submitContent } from "../handovers/sendings.ts";
import { appendValue } from "../server/setting-options.ts";
import { sayNote } from "../terminal/notes.ts";
import { formatPerson } from "../terminal/persons.ts";
import { formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { CommandError, Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

interface SubmitFlags extends ConnectionFlags {
  readonly linkFile?: string;
  readonly env?: string;
  readonly fieldFile?: readonly string[];
}

const MAX_LINK_BYTES = 4096;
const HAS_REQUEST_LINK = /https?:\/\/\S+\/r\/req_/i;
const PROMPT = { command: "handoff submit", question: "Request link: " } as const;

/** `handoff submit` */
export function addSubmit(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("submit"))
    .argument(
      "[link]",
      "The request link. Leave it out, or give -, and you're asked for it, or it's read from standard input.",
    )
    .argument(
      "[files...]",
      "Files and folders. Without any, standard input, unless the link was there; on a terminal, a hidden prompt.",
    )
    .description("Hand a secret in through a request link. Needs no account.")
    .option("--link-file <file>", "Take the link from a file; then all arguments are files.")
    .option("--env <name>", "Hand in the value of this environment variable.")
    .option(
      "--field-file <name=file>",
      "Of a request that asks for fields, take the value of this one from a file; may be repeated. The other values are asked for, or read from standard input as JSON.",
      appendValue,
    )
    .addHelpText(
      "after",
      `
Examples:
  handoff submit
  handoff submit < request.txt
  handoff submit - credentials.json < request.txt
  handoff submit --link-file request.txt credentials.json
  handoff submit --link-file request.txt --field-file key=id_ed25519

If the request asks for fields, you're asked for each of them. A script gives
them on standard input, as a JSON object of names and values.`,
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
  const { text, input } = isFromFile
    ? { text: (await readTextFile(terminal, flags.linkFile, "--link-file")).trim(), input: terminal }
    : await readRequestLink(terminal, argument);
  const link = parseRequestLink(text);
  const { submitToken, notePassphrase } = await deriveRequestKeys(link.seed);
  const server = { baseUrl: link.baseUrl, token: submitToken };
  const client = connectByLink(terminal, flags, server, terminal.interruptible());
  const { recipient, note, expiresAt, askedBy, addressees } = await getInvitation(client, link);
  const { text: noteText, fields } = decodeNote(note ? await openNote(note, notePassphrase) : "");
  const [firstField] = fields;
  const all = isFromFile && argument !== undefined ? [argument, ...files] : files;
  if (firstField && (all.length > 0 || flags.env !== undefined)) throw asksForFields(fields, firstField);
  if (!firstField && flags.fieldFile) throw usageError("--field-file: the request asks for no fields.");
  const isPrompted = all.length === 0 && flags.env === undefined && (input?.isTerminal.in ?? true);
  // A script then reads standard error.
  if (!flags.json) {
    // A person at a prompt has to know what the secret is for.
    const say = isPrompted ? terminal.say : (line: string) => remark(terminal, line);
    if (askedBy) say(`Asked by ${formatPerson(askedBy, client.baseUrl)}`);
    if (noteText) sayNote({ say }, noteText);
    if (firstField) say(`The person who asked wants: ${fields.map(describeField).join(", ")}.`);
    say(`You can hand it in until ${formatTime(expiresAt)}. Only the person who asked can read it.`);
  }
  const isInputTaken = input === undefined;
  const read = async () => {
    if (firstField) return readForm(input ?? terminal, fields, { fieldFiles: flags.fieldFile ?? [], isInputTaken });
    const argumentsBefore = isFromFile ? 0 : 1;
    const where = { files: all, env: flags.env, argumentsBefore, isInputTaken };
    const source = await findSource(input ?? terminal, where, async () => (await getCredential(client)).limits);
    if (source.kind !== "large") checkNoRequestLink(source);
    return source;
  };
  const prove = <T>(use: (proofToken?: string) => Promise<T>) =>
    addressees ? withProof(terminal, { client, kind: "request", id: link.id, addressees }, use) : use();
  let content: Content | LargeContent | undefined;
  // The proof comes first, so that nobody types a secret that they may not hand in.
  const receipt = await prove(async (proofToken) => {
    content ??= await read();
    const proving: Proving = async (use) => {
      try {
        return await use(proofToken);
      } catch (error) {
        // Encrypting what comes from standard input may have taken longer than the proof counts.
        if (!isUnproven(error) || content?.kind !== "large") throw error;
        return prove(use);
      }
    };
    return submitContent(terminal, client, content, { requestId: link.id, recipient, proofToken, proving });
  });
  if (flags.json) terminal.out(formatJson(receipt));
  else remark(terminal, `Handed in, encrypted, as ${receipt.secret_id}.`);
}

function asksForFields(fields: readonly FormField[], first: FormField): CommandError {
  return usageError(
    `The request asks for these fields: ${namesOf(fields)}. Give no file and no --env: you're asked for each field. Or use --field-file '${first.name}=FILE', or give a JSON object on standard input.`,
  );
}

function describeField({ name, kind }: FormField): string {
  return `'${name}'${kind === "multiline" ? " (several lines)" : ""}`;
}

/** Throws CommandError for a request link in place of the secret, as when one file is given for both. */
function checkNoRequestLink(content: Content): void {
  if (content.kind !== "text" || !isRequestLink(content.text.trim())) return;
  throw usageError(
    "The secret is a request link, so nothing was handed in. With --link-file, standard input is the secret.",
  );
}

/** A request link, and the source of the secret: undefined when the link was on standard input. */
interface LinkRead {
  readonly text: string;
  readonly input: Terminal | undefined;
}

/**
 * Reads the link. Standard input is the link or the secret; if it's the secret, the link is prompted for. Throws
 * CommandError.
 */
async function readRequestLink(terminal: Terminal, argument: string | undefined): Promise<LinkRead> {
  if (argument !== undefined || terminal.isTerminal.in) {
    const isInput = argument === "-" && !terminal.isTerminal.in;
    return { text: await readLink(terminal, argument, PROMPT), input: isInput ? undefined : terminal };
  }
  const { isWhole, start, input } = await lookAtInput(terminal);
  const given = new TextDecoder().decode(start).trim();
  if (isWhole && isRequestLink(given)) return { text: given, input: undefined };
  const text = await terminal.ask(PROMPT.question);
  if (!text && HAS_REQUEST_LINK.test(given)) {
    if (/[\r\n]/.test(given)) throw manyLines();
    // The error for it says what is wrong.
    return { text: given, input: undefined };
  }
  if (!text) {
    throw usageError(
      "No request link was given. Give it on standard input, and name files or use --env. Or use --link-file, with the secret on standard input.",
    );
  }
  return { text, input };
}

/** The first bytes of standard input, and a terminal from which all of it can still be read. */
async function lookAtInput(terminal: Terminal) {
  const pieces = terminal.readPieces();
  const read: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = false;
  while (bytes <= MAX_LINK_BYTES && !isWhole) {
    const next = await pieces.next();
    isWhole = next.done === true;
    if (!next.value) continue;
    read.push(next.value);
    bytes += next.value.length;
  }
  const start = Buffer.concat(read).subarray(0, MAX_LINK_BYTES);
  const readPieces = () => followed(read, pieces);
  const readAll = async () => Buffer.concat(await Array.fromAsync(readPieces()));
  return { isWhole: isWhole && bytes <= MAX_LINK_BYTES, start, input: { ...terminal, readAll, readPieces } };
}

/** True for text that is nothing but a link. */
function isRequestLink(text: string): boolean {
  return linkKindOf(text) === "request" && !/\s/.test(text);
}
