import { readFileSync } from "node:fs";
import { codeOf } from "../../../contract/error-traces.ts";
import { reasonOf } from "../../terminal/system-errors.ts";

// Files of EnvironmentFile=, as systemd 252 reads them: systemd.exec(5), and src/basic/env-file.c for the rest.

/** What systemd takes from a file of variables. */
export interface EnvironmentFile {
  readonly variables: Readonly<Record<string, string>>;
  /** A sentence, with file and line, on each part that systemd ignores or that was hardly meant so. */
  readonly faults: readonly string[];
  /** True when it ignores the whole file. */
  readonly isIgnored: boolean;
}

/** A part of a file that assigns a value. The texts have a character for each byte. */
interface Assignment {
  readonly line: number;
  /** Undefined where there is no `=`. */
  readonly name: string | undefined;
  readonly value: string;
  /** The line in which its quotes are closed; undefined when they are never. */
  readonly lastLine: number | undefined;
}

const IGNORED = "so systemd ignores the whole file, and the service starts with none of its settings";
const VARIABLE_NAME = /^[A-Za-z_]\w*$/;

/** Reads the file at `path`. One that doesn't exist, or that this user can't read, has no variables. */
export function readEnvironmentFile(path: string): EnvironmentFile {
  try {
    return parseEnvironment(readFileSync(path), path);
  } catch (error) {
    if (["ENOENT", "EACCES"].includes(codeOf(error) ?? "")) return { variables: {}, faults: [], isIgnored: false };
    return { variables: {}, faults: [`Can't read '${path}': ${reasonOf(error)}, ${IGNORED}.`], isIgnored: true };
  }
}

/** Reads `bytes`, the contents of the file `path`. */
export function parseEnvironment(bytes: Uint8Array, path: string): EnvironmentFile {
  const text = Buffer.from(bytes).toString("latin1");
  const variables: Record<string, string> = {};
  const faults: string[] = [];
  const say = (line: number, sentence: string) => void faults.push(`'${path}', line ${line}: ${sentence}`);
  const refuse = (line: number, what: string) => {
    const fault = `'${path}', line ${line}: it has ${what}, ${IGNORED}. Write this line anew.`;
    return { variables: {}, faults: [fault], isIgnored: true };
  };
  const zero = text.indexOf("\0");
  if (zero >= 0) return refuse(lineAt(text, zero), "a zero byte");
  for (const { line, name, value, lastLine } of assignmentsIn(text, say)) {
    if (name === undefined) {
      say(line, "there is no = in it, so systemd ignores it. Remove it, or put # before it.");
      continue;
    }
    const decoded = decode(value);
    if (decoded === undefined || decode(name) === undefined) return refuse(line, "bytes that aren't UTF-8");
    if (!VARIABLE_NAME.test(name)) {
      say(line, "what is before its = isn't the name of a variable, so systemd ignores it. Write NAME=value alone.");
      continue;
    }
    if (lastLine === undefined) say(line, "its quotes are never closed, so all that follows is part of the value.");
    else if (value.includes("\n")) say(line, `its quotes are only closed in line ${lastLine}. A value has one line.`);
    variables[name] = decoded;
  }
  return { variables, faults, isIgnored: false };
}

function* assignmentsIn(text: string, say: (line: number, sentence: string) => void): Generator<Assignment> {
  const reader = openReader(text);
  while (!reader.isAtEnd()) {
    const line = reader.line();
    if (reader.take(/[ \t\n\r]+/y) !== undefined) continue;
    const comment = reader.take(/[#;](?:\\[^]?|[^\\\n\r])*/y);
    if (comment !== undefined) {
      if (/\\\r?\n/.test(comment)) {
        say(
          line,
          "this comment ends in \\, so systemd takes the next line for a part of it, before version 254. Remove the \\.",
        );
      }
      continue;
    }
    const name = (reader.take(/[^\n\r][^=\n\r]*/y) ?? "").replace(/[ \t]+$/, "");
    if (reader.take(/=/y) === undefined) yield { line, name: undefined, value: "", lastLine: line };
    else yield { line, name, ...readValue(reader) };
  }
}

/** Reads a value up to the end of its line. Quotes count until something outside of quotes precedes them. */
function readValue(reader: Reader): Pick<Assignment, "value" | "lastLine"> {
  let value = "";
  for (;;) {
    reader.take(/[ \t]+/y);
    const quote = reader.take(/["']/y);
    if (quote === undefined) break;
    value += quote === "'" ? (reader.take(/[^']+/y) ?? "") : unescape(reader.take(/(?:\\[^]?|[^"\\])+/y) ?? "");
    if (reader.take(/["']/y) === undefined) return { value, lastLine: undefined };
  }
  return { value: value + readBare(reader), lastLine: reader.line() };
}

/** A backslash within double quotes escapes these characters and the end of a line, and else stands for itself. */
function unescape(text: string): string {
  return text.replace(/\\(["\\`$])|\\(?:\n|$)/g, "$1");
}

/** Reads the text outside of quotes, without the white space at its end. */
function readBare(reader: Reader): string {
  let value = "";
  let length = 0;
  for (const [part, escaped] of (reader.take(/(?:\\[^]?|[^\\\n\r])+/y) ?? "").matchAll(/\\([^]?)|[ \t]+|[^\\ \t]+/g)) {
    value += escaped === undefined ? part : escaped.replace(/[\n\r]/, "");
    if (!/^[ \t]/.test(part)) length = value.length;
  }
  return value.slice(0, length);
}

/** A place in a text, which each part that is taken moves on. */
interface Reader {
  /** Takes what matches here; undefined when nothing does. */
  take(pattern: RegExp): string | undefined;
  /** The number of the line, from 1. */
  line(): number;
  isAtEnd(): boolean;
}

function openReader(text: string): Reader {
  let [at, line] = [0, 1];
  return {
    take(pattern) {
      pattern.lastIndex = at;
      const part = pattern.exec(text)?.[0];
      if (part === undefined) return undefined;
      at += part.length;
      line += part.split("\n").length - 1;
      return part;
    },
    line: () => line,
    isAtEnd: () => at >= text.length,
  };
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function decode(latin1: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, "latin1"));
  } catch {
    return undefined;
  }
}
