import type { Command } from "commander";
import {
  generatePassphrase,
  generatePassword,
  MIN_PASSWORD_LENGTH,
  MIN_WORDS,
  PASSWORD_LENGTH,
} from "../../crypto/generators.ts";
import type { Generated } from "../../crypto/generators.ts";
import { checkStandardOutput, formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface GenFlags {
  readonly length?: string;
  readonly words?: string | true;
  readonly json?: boolean;
}

/** What nobody types, and no field takes. */
const MAX_LENGTH = 256;
const MAX_WORDS = 32;

/** `handoff gen` */
export function addGen(program: Command, terminal: Terminal): void {
  program
    .command("gen")
    .description("Generate a password or a passphrase. Nothing else goes to standard output. Needs no server.")
    .option("--length <n>", `How many letters and digits the password has. Without it, ${PASSWORD_LENGTH}.`)
    .option("--words [n]", `Generate a passphrase of English words instead. Without a number, ${MIN_WORDS}.`)
    .option("--json", "Print output and errors as JSON.")
    .addHelpText(
      "after",
      `
Examples:
  handoff gen
  handoff gen --words
  handoff gen --length 32 | handoff send`,
    )
    .action((flags: GenFlags) => generate(terminal, flags));
}

async function generate(terminal: Terminal, flags: GenFlags): Promise<void> {
  checkStandardOutput(terminal);
  const { text, bits } = await make(flags);
  terminal.out(flags.json ? formatJson({ text, bits }) : `${text}\n`);
  if (!flags.json && terminal.isTerminal.out) remark(terminal, `It has ${bits} bits of randomness.`);
}

async function make({ length, words }: GenFlags): Promise<Generated> {
  if (words !== undefined && length !== undefined) throw usageError("give either --length or --words, not both");
  if (words === undefined) {
    return generatePassword(numberIn("--length", length ?? PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, MAX_LENGTH));
  }
  return generatePassphrase(numberIn("--words", words === true ? MIN_WORDS : words, MIN_WORDS, MAX_WORDS));
}

/** The value of a flag as a whole number from `min` to `max`. Throws CommandError. */
function numberIn(flag: string, value: string | number, min: number, max: number): number {
  const number = Number(value);
  if (/^\d+$/.test(String(value)) && number >= min && number <= max) return number;
  throw usageError(`${flag} must be a whole number from ${min} to ${max}.`);
}
