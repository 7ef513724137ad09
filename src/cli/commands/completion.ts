import { Argument } from "commander";
import type { Command } from "commander";
import { completionScript, SHELLS } from "../completion/completion-scripts.ts";
import { completeWords, startingWith } from "../completion/completions.ts";
import type { Completion } from "../completion/completions.ts";
import { listKnownValues } from "../completion/known-values.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff completion`, and the hidden `complete` that the scripts call. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("Print a script that completes commands in your shell.")
    .addArgument(new Argument("<shell>", "Your shell.").choices(SHELLS))
    .addHelpText("after", "\nExample:\n  source <(handoff completion bash)")
    .action((shell: (typeof SHELLS)[number]) => terminal.out(completionScript(shell, ownProgram())));
  program
    .command("complete", { hidden: true })
    .description("Complete the words that standard input has, a line for each.")
    .action(async () => {
      const words = new TextDecoder()
        .decode(await terminal.readAll())
        .replace(/\n$/, "")
        .split("\n");
      const { candidates, fileOffset, known } = completeWords(program, words);
      const values = known ? await completeKnown(terminal, words.at(-1) ?? "", known) : [];
      // A topic may have the name of a command.
      const lines = [...new Map([...values, ...candidates])].map(([word, description]) =>
        description === "" ? word : `${word}\t${description.replace(/\s+/g, " ")}`,
      );
      // The last line says what else may be completed.
      terminal.out([...lines, fileOffset === undefined ? ":nothing" : `:files ${fileOffset}`, ""].join("\n"));
    });
}

/** The known values that begin with `current`, with the prefix that precedes them in it. */
async function completeKnown(terminal: Terminal, current: string, { kind, offset }: NonNullable<Completion["known"]>) {
  const head = current.slice(0, offset);
  const values = await listKnownValues(terminal, kind);
  return startingWith(
    current,
    values.map(([word, description]) => [head + word, description] as const),
  );
}

/** The words that start this very program, even if another program has its name. */
function ownProgram(): readonly string[] {
  const isExecutable = Bun.main.startsWith("/$bunfs/");
  return isExecutable ? [process.execPath] : [process.execPath, Bun.main];
}
