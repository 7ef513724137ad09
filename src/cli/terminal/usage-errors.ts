import type { Command, CommanderError } from "commander";
import { usageError } from "./terminal.ts";
import type { CommandError } from "./terminal.ts";

/** The sentences for what the parser of arguments refuses, by its codes. They take the first groups of its message. */
const SENTENCES: readonly (readonly [message: RegExp, sentence: (...parts: string[]) => string])[] = [
  [/^unknown option '(.*?)'/s, (name = "") => `There is no option '${name.replace(/=.*/s, "")}'.`],
  [/^unknown command '(.*?)'/s, (name) => `There is no command '${name}'.`],
  [/^missing required argument '(.*?)'/s, (name) => `The argument <${name}> is missing.`],
  [/^option '(.*?)' argument missing/s, (flags) => `A value is missing: ${longOf(flags)}.`],
  [/^required option '(.*?)' not specified/s, (flags) => `An option is missing: ${longOf(flags)}.`],
  [/^too many arguments/, () => "There are too many arguments."],
  [
    /^option '(.*?)' argument '.*' is invalid\. Allowed choices are (.*)\.$/s,
    (flags, choices) => `${longOf(flags).replace(/ .*/s, "")} must be one of: ${choices}.`,
  ],
  [
    /value '.*' is invalid for argument '(.*?)'\. Allowed choices are (.*)\.$/s,
    (name, choices) => `<${name}> must be one of: ${choices}.`,
  ],
];

/** The error of `command`, which the parser refuses with `error`: what is wrong, and where its usage is explained. */
export function toUsageError(command: Command, error: CommanderError): CommandError {
  const [refusal = "", ...hints] = error.message.replace(/^error: /, "").split("\n(");
  const hint = hints.map((each) => each.replace(/\)$/, ""));
  return usageError([sentenceOf(refusal), ...hint, `Try '${helpOf(command)}'.`].join(" "));
}

function sentenceOf(refusal: string): string {
  for (const [pattern, sentence] of SENTENCES) {
    const match = pattern.exec(refusal);
    if (match) return sentence(...match.slice(1));
  }
  return refusal.replace(/\.?$/, ".");
}

/** The long name of an option with its value, of the flags that its help has. */
function longOf(flags: string): string {
  return flags.replace(/^-\w, /, "");
}

/** The command that explains `command`: `handoff help admin key create`. */
function helpOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return ["handoff help", ...names].join(" ");
}
