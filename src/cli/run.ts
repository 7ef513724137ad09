import { Command, CommanderError } from "commander";
import { addAdmin } from "./commands/admin.ts";
import { addOpenapi } from "./commands/openapi.ts";
import { addServe } from "./commands/serve.ts";
import { addVersion, VERSION } from "./commands/version.ts";
import { CommandError, EXIT, type ExitCode, type Terminal } from "./terminal.ts";

/** Runs the command line `args` and resolves with the exit code. Never rejects: what goes wrong is said in a sentence. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = createProgram(terminal);
  try {
    await program.parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    terminal.say(`handoff: ${describe(error)}`);
    return error instanceof CommandError ? error.exitCode : EXIT.failure;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command("handoff")
    .description("Hands secrets over: encrypted by the sender, claimed once, then gone.")
    .version(`handoff ${VERSION}`)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.say(text.trimEnd()) })
    .showHelpAfterError("Try 'handoff help'.")
    .helpCommand("help [command]", "Say how a command is used.");
  for (const add of [addServe, addAdmin, addOpenapi, addVersion]) add(program, terminal);
  return program;
}

// Errors that are meant for people have a message that says what to do; of all others only the kind is shown, because
// the message may quote input.
const FOR_PEOPLE = new Set(["CommandError", "SettingsError", "DatabaseError", "ListenError", "AdminError", "Refusal"]);

function describe(error: unknown): string {
  if (error instanceof Error && FOR_PEOPLE.has(error.name)) return error.message;
  return `something went wrong (${error instanceof Error ? error.name : typeof error}). Please report this`;
}
