import { Command } from "commander";
import { addAdmin } from "./commands/admin.ts";
import { addCollect } from "./commands/collect.ts";
import { addCompletion } from "./commands/completion.ts";
import { addLink } from "./commands/link.ts";
import { addList } from "./commands/list.ts";
import { addLogin } from "./commands/login.ts";
import { addLogout } from "./commands/logout.ts";
import { addMcp } from "./commands/mcp.ts";
import { addOpen } from "./commands/open.ts";
import { addOpenapi } from "./commands/openapi.ts";
import { addPageHash } from "./commands/page-hash.ts";
import { addRequest } from "./commands/request.ts";
import { addRevoke } from "./commands/revoke.ts";
import { addRun } from "./commands/run.ts";
import { addSend } from "./commands/send.ts";
import { addServe } from "./commands/serve.ts";
import { addStatus } from "./commands/status.ts";
import { addSubmit } from "./commands/submit.ts";
import { addVersion } from "./commands/version.ts";
import { addWhoami } from "./commands/whoami.ts";
import { refuseBareLink } from "./handovers/bare-links.ts";
import { VERSION } from "./server/version.ts";
import { tellFailure, tellServerEnd } from "./terminal/failures.ts";
import { redact, usageError } from "./terminal/terminal.ts";
import type { Terminal } from "./terminal/terminal.ts";

const COMMANDS = {
  "Hand over:": [addSend, addOpen, addRun, addStatus, addList, addRevoke, addLink],
  "Ask for a secret:": [addRequest, addSubmit, addCollect],
  "For agents:": [addMcp],
  "Your access:": [addLogin, addLogout, addWhoami],
  "Run a server:": [addServe, addAdmin, addOpenapi, addPageHash],
  "More:": [addVersion, addCompletion],
} as const;

const DEBUG_HELP = `
HANDOFF_DEBUG=1 in the environment adds to "Please report this" where in handoff it happened, and nothing of what you sent.`;

/** Runs the command line `args` and resolves with the exit code. Never rejects: what goes wrong is said in a sentence. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const end = args.indexOf("--");
  const isJson = args.slice(0, end < 0 ? undefined : end).includes("--json") && (args[0] !== "run" || end >= 0);
  const result: { exitCode: number } = { exitCode: 0 };
  const program = createProgram(terminal, isJson, (code) => void (result.exitCode = code));
  try {
    refuseBareLink(terminal, args);
    await program.parseAsync(args, { from: "user" });
    return result.exitCode;
  } catch (error) {
    return args[0] === "serve" ? tellServerEnd(terminal, error) : tellFailure(terminal, error, isJson);
  }
}

function createProgram(terminal: Terminal, isJson: boolean, exitWith: (code: number) => void): Command {
  const program = new Command("handoff")
    .description("Hands secrets over: encrypted by the sender, claimed once, then gone.")
    .version(`handoff ${VERSION}`)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: (text) => isJson || terminal.say(redact(text.trimEnd())),
    })
    .showHelpAfterError("Try 'handoff help'.")
    .addHelpText("after", DEBUG_HELP)
    .helpCommand(false);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, terminal, exitWith);
  }
  program
    .command("help")
    .argument("[command...]", "Such as: admin key create")
    .description("Say how a command is used.")
    .action((names: string[]) => findCommand(program, names).outputHelp());
  return program;
}

/** Throws CommandError when there is no such command. */
function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((each) => each.name() === name);
    if (!found) throw usageError(`there is no command '${name}'. Try 'handoff help'.`);
    return found;
  }, program);
}
