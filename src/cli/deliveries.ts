import { existsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Payload, PayloadFile } from "../crypto/payloads.ts";
import { checkFolder, writeFiles } from "./destinations.ts";
import { printable, type Terminal, usageError } from "./terminal.ts";

export interface DeliveryFlags {
  /** A folder for files; for text a file, or a folder that exists. */
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Throws CommandError, before anything is used up, for an output that can be seen not to do. */
export function checkOutput({ output, force }: DeliveryFlags): void {
  if (output === undefined) return checkFolder(".");
  if (isFolder(output)) return checkFolder(output);
  if (existsSync(output)) {
    if (!statSync(output).isFile()) throw usageError(`'${output}' is neither a file nor a folder`);
    if (!force) throw usageError(`'${output}' exists already: name another file, or overwrite it with --force`);
  }
  // A name that is not there yet may become a file or a folder.
  checkFolder(dirname(output));
}

/**
 * Puts a payload where it belongs: files below the output, text into the output or else to standard output. `tag` names
 * what is not finished, see `writeFiles`. Throws CommandError.
 */
export function deliver(terminal: Terminal, payload: Payload, tag: string, flags: DeliveryFlags): void {
  const options = { force: flags.force === true, tag };
  if (payload.kind === "files") {
    return tellPaths(terminal, payload.kind, writeFiles(flags.output ?? ".", payload.files, options), flags);
  }
  const bytes = payload.kind === "text" ? new TextEncoder().encode(payload.text) : payload.bytes;
  if (flags.output !== undefined) {
    const [folder, name] = isFolder(flags.output)
      ? [flags.output, nameOf(payload)]
      : [dirname(flags.output), basename(flags.output)];
    return tellPaths(terminal, payload.kind, writeFiles(folder, [toFile(name, bytes)], options), flags);
  }
  if (flags.json) {
    const content =
      payload.kind === "text" ? { text: payload.text } : { base64: Buffer.from(bytes).toString("base64") };
    return terminal.out(`${JSON.stringify({ kind: payload.kind, ...content })}\n`);
  }
  if (payload.kind === "binary" && terminal.isTerminal.out) {
    throw usageError("this secret is not text: add --output FILE");
  }
  // On a terminal nothing that somebody else has written may command it.
  terminal.out(terminal.isTerminal.out && payload.kind === "text" ? printable(payload.text) : bytes);
  if (terminal.isTerminal.out && !(payload.kind === "text" && payload.text.endsWith("\n"))) terminal.say("");
}

/** The same for one of several: always into a folder of its own. */
export function deliverInto(
  terminal: Terminal,
  payload: Payload,
  tag: string,
  folder: string,
  flags: DeliveryFlags,
): void {
  const files =
    payload.kind === "files"
      ? payload.files
      : [toFile(nameOf(payload), payload.kind === "text" ? new TextEncoder().encode(payload.text) : payload.bytes)];
  tellPaths(terminal, payload.kind, writeFiles(folder, files, { force: flags.force === true, tag }), flags);
}

function tellPaths(terminal: Terminal, kind: Payload["kind"], paths: readonly string[], { json }: DeliveryFlags): void {
  if (json) terminal.out(`${JSON.stringify({ kind, paths })}\n`);
  else for (const path of paths) terminal.say(`wrote ${path}`);
}

function nameOf(payload: Payload): string {
  return payload.kind === "text" ? "secret.txt" : "secret.bin";
}

function toFile(name: string, bytes: Uint8Array): PayloadFile {
  return { name, bytes, isExecutable: false, isFolder: false };
}

/** A folder that exists, or that is meant to be one by the slash at its end. */
function isFolder(path: string): boolean {
  return path.endsWith("/") || (existsSync(path) && statSync(path).isDirectory());
}
