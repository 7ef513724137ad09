import type { Argument, Command, Option } from "commander";
import { SCOPES } from "../../contract/scopes.ts";

/** The names in the help of option values and arguments that are files. */
const NAMES_FILE = /file|path|folder|director|command/i;
/** A variable and the file with its value: `NAME=@FILE`. */
const NAMES_SOURCE = /source/i;
const SOURCE = /^[A-Za-z_]\w*=@/;

/** A kind of value that this machine knows: from its database, its state, or the manual. */
export type KnownValue = "topics" | "teams" | "identities" | "people" | "keys" | "webhooks" | "requests" | "handovers";

/** The kinds of value, by the names of arguments and of options without their dashes. */
const KNOWN_VALUES: Readonly<Record<string, KnownValue>> = {
  team: "teams",
  identity: "identities",
  "name-or-id": "people",
  "key-id": "keys",
  "webhook-id": "webhooks",
  request: "requests",
  "link-or-id": "handovers",
};

/** The completions at the cursor. */
export interface Completion {
  /** Words that begin with what was typed, each with its description. */
  readonly candidates: readonly (readonly [word: string, description: string])[];
  /** The offset in the word, in characters, at which a file name begins; undefined when no file is expected. */
  readonly fileOffset: number | undefined;
  /** The values that complete the word after its first `offset` characters; undefined when none is expected. */
  readonly known?: { readonly kind: KnownValue; readonly offset: number } | undefined;
}

const NOTHING: Completion = { candidates: [], fileOffset: undefined };

/** Returns the completions of `words`, which follow the program's name. The last word is incomplete. */
export function completeWords(program: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? "";
  const place = walk(program, words.slice(0, -1));
  if (place.option) return completeValue(place.option, current, 0);
  if (!place.isPastOptions && current.startsWith("-")) {
    const [name = "", value] = current.split("=", 2);
    const option = value === undefined ? undefined : findOption(place.command, name);
    return option ? completeValue(option, current, name.length + 1) : completeOptions(place.command, current);
  }
  return completeArgument(program, place, current);
}

interface Place {
  readonly command: Command;
  /** The arguments so far. */
  readonly given: readonly string[];
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  readonly isPastOptions: boolean;
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program;
  let given: string[] = [];
  let option: Option | undefined;
  let isPastOptions = false;
  for (const word of words) {
    if (option) option = undefined;
    else if (isPastOptions) given.push(word);
    else if (word === "--") isPastOptions = true;
    else if (word.startsWith("-")) option = word.includes("=") ? undefined : findOption(command, word);
    else {
      const next = given.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (!next) given.push(word);
      else [command, given] = [next, []];
    }
    if (option && !option.required && !option.optional) option = undefined;
  }
  return { command, given, option, isPastOptions };
}

function findOption(command: Command, name: string): Option | undefined {
  return command.options.find((each) => each.long === name || each.short === name);
}

function completeValue({ argChoices, flags, long }: Option, current: string, offset: number): Completion {
  const [head, typed] = [current.slice(0, offset), current.slice(offset)];
  if (long === "--scope") return completeScope(current, offset);
  if (argChoices) return completeChoice(current, argChoices, head);
  const source = NAMES_SOURCE.test(flags) ? SOURCE.exec(typed)?.[0] : undefined;
  if (source) return { ...NOTHING, fileOffset: offset + source.length };
  const [, valueName = ""] = /[<[](.*)[>\]]/.exec(flags) ?? [];
  if (NAMES_FILE.test(valueName)) return { ...NOTHING, fileOffset: offset };
  return completeKnown(long?.slice(2), offset);
}

/** The last of several scopes with commas between them. */
function completeScope(current: string, offset: number): Completion {
  const head = current.slice(0, Math.max(offset, current.lastIndexOf(",") + 1));
  const given = head.slice(offset).split(",");
  const scopes = ["all", ...SCOPES].filter((scope) => !given.includes(scope));
  return completeChoice(current, scopes, head);
}

function completeChoice(current: string, choices: readonly string[], head = ""): Completion {
  const words = choices.map((each) => [head + each, ""] as const);
  return { ...NOTHING, candidates: startingWith(current, words) };
}

function completeKnown(name: string | undefined, offset: number): Completion {
  const kind = name === undefined || !Object.hasOwn(KNOWN_VALUES, name) ? undefined : KNOWN_VALUES[name];
  return kind === undefined ? NOTHING : { ...NOTHING, known: { kind, offset } };
}

function completeOptions(command: Command, current: string): Completion {
  const options = command.createHelp().visibleOptions(command);
  const words = options.flatMap(({ long, short, description }) =>
    [long, current === "-" ? undefined : short].flatMap((name) => (name ? [[name, description] as const] : [])),
  );
  return { ...NOTHING, candidates: startingWith(current, words) };
}

function completeArgument(program: Command, { command, given }: Place, current: string): Completion {
  if (command.name() === "help") {
    const known = given.length === 0 ? ({ kind: "topics", offset: 0 } as const) : undefined;
    return { ...completeCommand(walk(program, given).command, current), known };
  }
  if (command.commands.length > 0) return completeCommand(command, current);
  const argument = argumentAt(command, given.length);
  if (argument?.argChoices) return completeChoice(current, argument.argChoices);
  if (argument && NAMES_FILE.test(argument.name())) return { ...NOTHING, fileOffset: 0 };
  return completeKnown(argument?.name(), 0);
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  return registeredArguments[index] ?? (registeredArguments.at(-1)?.variadic ? registeredArguments.at(-1) : undefined);
}

function completeCommand(command: Command, current: string): Completion {
  const visible = command.createHelp().visibleCommands(command);
  const words = visible.map((each) => [each.name(), each.summary() || each.description()] as const);
  return { ...NOTHING, candidates: startingWith(current, words) };
}

/** The words that begin with what was `typed`. */
export function startingWith(typed: string, words: readonly (readonly [string, string])[]) {
  return words.filter(([word]) => word.startsWith(typed));
}
