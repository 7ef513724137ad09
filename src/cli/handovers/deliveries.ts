import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import { codeOf } from "../../contract/error-traces.ts";
import type { FileFacts } from "../../crypto/archive-streams.ts";
import { isBlank, toFiles } from "../../crypto/contents.ts";
import type { ContentFile, DecodedContent } from "../../crypto/contents.ts";
import { splitEntryName } from "../../crypto/entry-names.ts";
import type { NameStyle } from "../../crypto/entry-names.ts";
import { formatFields } from "../../crypto/forms.ts";
import type { FilledField } from "../../crypto/forms.ts";
import { checkFolder, isLink, unfinishedPrefix, withDistinctNames, writeFiles } from "../files/destinations.ts";
import type { WriteOptions } from "../files/destinations.ts";
import { findNewFolder } from "../files/new-folders.ts";
import { DeliveryError, rescueOf, toSentence, withAdvice } from "../terminal/repeats.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, formatJson, printable, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { allowNames, DeclinedNames, showName } from "./deceptive-names.ts";
import type { OpenedSecret } from "./handovers.ts";

const DAMAGED = "The archive in this secret is damaged: it was cut off, or has something behind its end.";

export interface DeliveryFlags {
  /** A folder for files; for text, a file or an existing folder. */
  readonly output?: string;
  readonly force?: boolean;
  /** Uses file names and executable bits as the sender gave them. */
  readonly exactNames?: boolean;
  /** Writes such names without a question, even deceptive ones. */
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Gives `command` the flags for the destination; `condition` comes before their descriptions. */
export function addDeliveryFlags(command: Command, condition?: string): Command {
  const describe = (text: string) =>
    condition === undefined ? text : `${condition}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  return command
    .option(
      "-o, --output <path>",
      describe(
        "The directory for files (default: a new one with the ID as its name), the file for text, or - for standard output.",
      ),
    )
    .option("--force", describe("Overwrite files that exist."))
    .option(
      "--exact-names",
      describe(
        "Keep names that begin with a dot, and executable bits, as the sender gave them. You're asked about names that can deceive.",
      ),
    );
}

/** The style of file names. */
export function nameStyleOf({ exactNames }: DeliveryFlags): NameStyle {
  return exactNames ? "exact" : "safe";
}

/** The value of `--output` for standard output. */
export const STANDARD_OUTPUT = "-";

/** Throws CommandError for an output that is clearly unsuitable, before a claim is used up. */
export function checkOutput({ output, force, json }: DeliveryFlags): void {
  // Text goes to standard output even when nothing can be written to disk.
  if (output === undefined) return;
  if (output === STANDARD_OUTPUT) {
    if (json) throw usageError("give either --json or --output -, not both");
    return;
  }
  // With a slash at its end, a path leads through the link.
  if (isLink(resolve(output)))
    throw usageError(`'${output}' is a link, and nothing is written through it. Name another file or directory.`);
  if (isFolder(output)) return checkFolder(output);
  if (existsSync(output)) {
    if (!statSync(output).isFile()) throw usageError(`'${output}' is neither a file nor a directory.`);
    if (!force) throw new CommandError(`'${output}' already exists. Name another file, or overwrite it with --force.`);
  }
  // A name that doesn't exist yet may become a file or a folder.
  checkFolder(dirname(output));
}

/** What was handed in hasn't the field that was asked for. */
export class FieldError extends DeliveryError {}

/** What was handed in to a form, as lines of text. */
interface FilledForm {
  readonly kind: "text";
  readonly text: string;
  readonly fields: readonly FilledField[];
}

/** The content of a form that was filled in. */
export function toFilledForm(fields: readonly FilledField[]): FilledForm {
  return { kind: "text", text: formatFields(fields), fields };
}

/** What is written: the content of a secret, or fields. */
export type Deliverable = DecodedContent | FilledForm;

/** Writes content to its destination. */
type Deliver = (
  terminal: Terminal,
  content: Deliverable,
  id: string,
  flags: DeliveryFlags & Pick<WriteOptions, "signal">,
) => Promise<void>;

/** Writes content to the output, standard output, or a new folder named after `id`. Throws CommandError. */
export const deliver: Deliver = async (terminal, content, id, flags) => {
  if (flags.output === STANDARD_OUTPUT) return print(terminal, content);
  const options = { force: flags.force === true, tag: id, signal: flags.signal };
  if (content.kind === "files" || content.kind === "both") {
    if (flags.output !== undefined) {
      const paths = await writeFiles(flags.output, toFiles(content), options);
      return tellPaths(terminal, writtenOf(content), paths, flags);
    }
    // The working folder may be a project, whose files are commands to some program.
    if (content.kind === "files") return deliverInto(terminal, content, id, flags);
    const { kind, text, files } = content;
    const paths = await writeIntoNew(terminal, files, id, flags);
    if (flags.json) return terminal.out(formatJson({ kind, text, paths }));
    tellPaths(terminal, { kind: "files", files }, paths, flags);
    return printText(terminal, text);
  }
  if (content.kind === "damaged" && flags.output === undefined) {
    throw new DeliveryError(DAMAGED, "Run the same command with --output FILE to keep it as it is,", "decryption");
  }
  const bytes = toBytes(content);
  if (flags.output !== undefined) {
    const files = toFiles(content);
    const [folder, named] = isFolder(flags.output)
      ? [flags.output, files]
      : [dirname(flags.output), files.map((file) => ({ ...file, name: basename(flags.output ?? "") }))];
    return tellPaths(terminal, writtenOf(content), await writeFiles(folder, named, options), flags);
  }
  if (flags.json) {
    if ("fields" in content) {
      const fields = Object.fromEntries(content.fields.map(({ name, value }) => [name, value]));
      return terminal.out(formatJson({ kind: "fields", fields }));
    }
    const shown = content.kind === "text" ? { text: content.text } : { base64: Buffer.from(bytes).toString("base64") };
    return terminal.out(formatJson({ kind: content.kind, ...shown }));
  }
  if (content.kind === "binary" && terminal.isTerminal.out) {
    throw new DeliveryError(
      "This secret isn't text, and a terminal can't show it.",
      "Run the same command with --output FILE,",
    );
  }
  print(terminal, content);
};

/** Writes a text or the bytes of one file to standard output. Throws DeliveryError for more than that. */
function print(terminal: Terminal, content: DecodedContent): void {
  if (content.kind === "text") return printText(terminal, content.text);
  const [file, ...more] = toFiles(content);
  if (!file || more.length > 0 || file.isFolder) {
    throw new DeliveryError(
      "This secret isn't one text or one file, and standard output takes no more.",
      "Run the same command with --output DIRECTORY,",
    );
  }
  terminal.out(file.bytes);
}

/** Prints text as it is; on a terminal, without characters that could control it. */
function printText(terminal: Terminal, text: string): void {
  terminal.out(terminal.isTerminal.out ? printable(text) : new TextEncoder().encode(text));
  if (terminal.isTerminal.out && !text.endsWith("\n")) terminal.say("");
}

/**
 * Delivers a claimed secret and acknowledges it to the server. If the secret can't be claimed again and its destination
 * fails, it is saved elsewhere. Throws CommandError, also after such a save, and when a script that reads standard
 * output must not take it for the text. Throws ClientError for an archive that was written although it is damaged.
 * `toDelivered` chooses what is written of it.
 */
export async function deliverTaken(
  terminal: Terminal,
  { content: opened, repeat, acknowledge }: OpenedSecret,
  id: string,
  flags: DeliveryFlags,
  {
    work = deliver,
    toDelivered = (content) => content,
  }: { readonly work?: Deliver; readonly toDelivered?: (content: DecodedContent) => Deliverable } = {},
): Promise<void> {
  // A secret that can't be claimed again is written to its end, even after an interruption.
  const signal = repeat.kind === "never" ? undefined : terminal.interruptible();
  let content: Deliverable = opened;
  try {
    content = toDelivered(opened);
    await allowNames(terminal, "files" in content ? content.files : [], flags.yes === true);
    await work(terminal, content, id, { ...flags, signal });
  } catch (thrown) {
    const error = toDeliveryError(thrown);
    if (!(error instanceof CommandError)) throw error;
    if (error.kind === "interrupted") {
      throw new CommandError(`Interrupted. ${rescueOf([repeat], "Run the same command")}`, "interrupted");
    }
    const isDeclined = error instanceof DeclinedNames;
    const isLastChance =
      repeat.kind === "never" ||
      (repeat.kind === "kept" && error instanceof DeliveryError && !isDeclined && !(error instanceof FieldError));
    const saved = isDeclined ? withSafeNames(content) : content;
    const folder = isLastChance ? await saveElsewhere(saved, id, flags) : undefined;
    if (folder === undefined) throw withAdvice(error, [repeat]);
    await acknowledge();
    const isGone = repeat.kind === "until" || repeat.claimsLeft === 0;
    const advice = `It ${isGone ? "can't be opened again, so it " : ""}was saved in the new directory '${folder}'.`;
    throw new CommandError(`${toSentence(error.message)} ${advice}`, error.kind);
  }
  await acknowledge();
  if (content.kind === "damaged") {
    const message = `${DAMAGED} It was written as it came. Ask for it to be sent again.`;
    throw new ClientError("damaged_archive", "decryption", message);
  }
  const complaint = complaintOf(content, flags, work);
  if (complaint !== undefined && isCaptured(terminal, flags)) throw new CommandError(complaint, "not_text");
}

/** True when a program reads standard output and takes it for the secret. */
export function isCaptured({ isTerminal }: Terminal, { output, json }: DeliveryFlags): boolean {
  return !isTerminal.out && (output === undefined || output === STANDARD_OUTPUT) && !json;
}

/** The reason why standard output isn't the secret; undefined when it is. */
function complaintOf(content: DecodedContent, { output }: DeliveryFlags, work: Deliver): string | undefined {
  if (content.kind === "files" && output === undefined)
    return "Nothing was printed: what came is files, and they are in the new directory.";
  if (work === deliverInto) return "Nothing was printed: each secret of this request is in a new directory of its own.";
  return "text" in content && isBlank(content.text) ? "The text is empty." : undefined;
}

/** Returns the error; one of the file system without an explanation is put into words. */
export function toDeliveryError(error: unknown): unknown {
  if (codeOf(error) === undefined) return error;
  return new DeliveryError(
    `Can't write the files: ${reasonOf(error)}.`,
    "Run the same command with another directory in --output,",
  );
}

/** The same content, with the names that it would have without `--exact-names`. */
function withSafeNames(content: DecodedContent): DecodedContent {
  if (content.kind !== "files" && content.kind !== "both") return content;
  const files = content.files.map((file) => ({
    ...file,
    name: splitEntryName(file.name).join("/"),
    isExecutable: false,
  }));
  return { ...content, files };
}

/** Writes content into a new folder, near its destination if possible. Returns undefined when no folder works. */
async function saveElsewhere(
  content: DecodedContent,
  id: string,
  { output }: DeliveryFlags,
): Promise<string | undefined> {
  const near = output === undefined || output === STANDARD_OUTPUT ? [] : [isFolder(output) ? output : dirname(output)];
  const files = toFiles(content);
  for (const parent of [...near, ".", tmpdir()]) {
    try {
      const folder = findNewFolder(resolve(parent), id, withDistinctNames(files), unfinishedPrefix(id));
      await writeFiles(folder, files, { force: false, tag: id });
      return folder;
    } catch {
      // The next folder may work.
    }
  }
  return undefined;
}

/** The same, always into a new folder named after the secret's `id`, below the output or the working folder. */
export const deliverInto: Deliver = async (terminal, content, id, flags) => {
  tellPaths(terminal, writtenOf(content), await writeIntoNew(terminal, toFiles(content), id, flags), flags);
};

/** Writes files into a new folder, and tells the person its name. Returns their paths. Throws CommandError. */
async function writeIntoNew(
  terminal: Terminal,
  files: readonly ContentFile[],
  id: string,
  flags: Parameters<Deliver>[3],
): Promise<string[]> {
  const folder = findNewFolder(resolve(flags.output ?? "."), id, withDistinctNames(files), unfinishedPrefix(id));
  const paths = await writeFiles(folder, files, { force: false, tag: id, signal: flags.signal });
  if (!flags.json) tellNewFolder(terminal, folder, files);
  return paths;
}

/** Says where files are. */
export function tellNewFolder(terminal: Terminal, folder: string, files: readonly FileFacts[]): void {
  remark(terminal, `The ${files.length === 1 ? "file is" : "files are"} in the new directory '${folder}'.`);
}

/** Names the `paths` that files were written to, and the names that they were sent with if changed. */
export function tellPaths(
  terminal: Terminal,
  { kind, files: all }: { readonly kind: DecodedContent["kind"]; readonly files: readonly FileFacts[] },
  paths: readonly string[],
  { json }: DeliveryFlags,
): void {
  if (json) return terminal.out(formatJson({ kind, paths }));
  const files = withDistinctNames(all).filter(({ isFolder: isDirectory }) => !isDirectory);
  for (const [at, path] of paths.entries()) {
    // The name of the text depends on those of the files.
    const isText = kind === "both" && at === 0;
    const sentName = files[at]?.sentName;
    const more = isText
      ? ", which is the text"
      : sentName === undefined
        ? ""
        : `, which was sent as '${showName(sentName)}'`;
    remark(terminal, `wrote ${showName(path)}${more}`);
  }
}

function writtenOf(content: DecodedContent) {
  return { kind: content.kind, files: toFiles(content) };
}

function toBytes(content: Exclude<DecodedContent, { readonly kind: "files" | "both" }>): Uint8Array {
  return content.kind === "text" ? new TextEncoder().encode(content.text) : content.bytes;
}

/** True for an existing folder, and for a path with a slash at its end. */
export function isFolder(path: string): boolean {
  return path.endsWith("/") || (existsSync(path) && statSync(path).isDirectory());
}
