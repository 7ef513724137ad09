import { Command, Option } from "commander";
import { maskUrls } from "../config/masked-urls.ts";
import { addHelp } from "./commands/help.ts";
import { refuseBareLink } from "./handovers/bare-links.ts";
import { VERSION } from "./server/version.ts";
import { COLOR_CHOICES, useColors } from "./terminal/colors.ts";
import { tellFailure, tellServerEnd, toUsageError } from "./terminal/failures.ts";
import { redact } from "./terminal/terminal.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Gives the program a command, of whose own commands only the one that `name` is may be needed. */
type AddCommand = (
  program: Command,
  terminal: Terminal,
  exitWith: (code: number) => void,
  name: string | undefined,
) => void | Promise<void>;

/** The commands by heading and name. Each is loaded only when it is needed, which makes the start faster. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommand>>>>> = {
  "Hand over:": {
    send: async () => (await import("./commands/send.ts")).addSend,
    open: async () => (await import("./commands/open.ts")).addOpen,
    run: async () => (await import("./commands/run.ts")).addRun,
    approve: async () => (await import("./commands/approve.ts")).addApprove,
    status: async () => (await import("./commands/status.ts")).addStatus,
    list: async () => (await import("./commands/list.ts")).addList,
    extend: async () => (await import("./commands/extend.ts")).addExtend,
    revoke: async () => (await import("./commands/revoke.ts")).addRevoke,
    events: async () => (await import("./commands/events.ts")).addEvents,
    gen: async () => (await import("./commands/gen.ts")).addGen,
    link: async () => (await import("./commands/link.ts")).addLink,
  },
  "Ask for a secret:": {
    request: async () => (await import("./commands/request.ts")).addRequest,
    submit: async () => (await import("./commands/submit.ts")).addSubmit,
    collect: async () => (await import("./commands/collect.ts")).addCollect,
  },
  "For agents:": {
    mcp: async () => (await import("./commands/mcp.ts")).addMcp,
  },
  "Your access:": {
    login: async () => (await import("./commands/login.ts")).addLogin,
    logout: async () => (await import("./commands/logout.ts")).addLogout,
    whoami: async () => (await import("./commands/whoami.ts")).addWhoami,
  },
  "Run a server:": {
    serve: async () => (await import("./commands/serve.ts")).addServe,
    admin: async () => (await import("./commands/admin.ts")).addAdmin,
    config: async () => (await import("./commands/config.ts")).addConfig,
    openapi: async () => (await import("./commands/openapi.ts")).addOpenapi,
    "page-hash": async () => (await import("./commands/page-hash.ts")).addPageHash,
  },
  "More:": {
    version: async () => (await import("./commands/version.ts")).addVersion,
    completion: async () => (await import("./commands/completion.ts")).addCompletion,
  },
};

const MORE_HELP = `
'handoff help' lists the topics of the manual too, and 'handoff help --search
WORDS' finds things in it. HANDOFF_DEBUG=1 in the environment adds to "Please
report this" where in handoff it happened, and nothing of what you sent.`;

const QUIET_HELP = "Say nothing but errors, warnings and questions. What goes to standard output stays.";

/** Runs the command line `args` and resolves with the exit code. Never rejects: errors are printed as sentences. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const end = args.indexOf("--");
  const isJson = args.slice(0, end < 0 ? undefined : end).includes("--json") && (args[0] !== "run" || end >= 0);
  const result = { exitCode: 0, isQuiet: false };
  let program: Command | undefined;
  useColors("auto", terminal);
  try {
    refuseBareLink(terminal, args);
    const heard = { ...terminal, isQuiet: () => result.isQuiet };
    program = await createProgram(heard, { args, isJson }, (code) => void (result.exitCode = code));
    program.hook("preAction", (_, command) => {
      const { quiet, color } = command.opts();
      result.isQuiet = quiet === true;
      useColors(color ?? "auto", terminal);
    });
    await program.parseAsync(args, { from: "user" });
    return result.exitCode;
  } catch (error) {
    // Without '--', only the parser knows which flags belong to 'run'.
    const wasJson = isJson || program?.commands.some((each) => each.name() === "run" && each.opts()["json"] === true);
    return args[0] === "serve"
      ? tellServerEnd(terminal, error, { args })
      : tellFailure(terminal, error, { args, isJson: wasJson === true });
  }
}

/** The program with only the command that `args` name, or with all commands when they name none. */
export async function createProgram(
  terminal: Terminal,
  { args, isJson }: { readonly args: readonly string[]; readonly isJson: boolean },
  exitWith: (code: number) => void,
): Promise<Command> {
  const [name, nameBelow] = args;
  const program = new Command("handoff")
    .description("Send and receive secrets, encrypted end to end.")
    .version(`handoff ${VERSION}`)
    .enablePositionalOptions()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: (text) => isJson || terminal.say(redact(maskUrls(text.trimEnd(), args, true))),
      // The error is thrown, and printed where all errors are.
      outputError: () => undefined,
    })
    .addHelpText("after", MORE_HELP)
    .helpCommand(false);
  const isCommand = Object.values(COMMANDS).some((group) => name !== undefined && Object.hasOwn(group, name));
  for (const [heading, group] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [each, load] of Object.entries(group)) {
      if (isCommand && each !== name) continue;
      const add = await load();
      await add(program, terminal, exitWith, isCommand ? nameBelow : undefined);
    }
  }
  addCommonFlags(program);
  addHelp(program, terminal);
  throwUsageErrors(program);
  return program;
}

/** Makes every command throw its own errors, which name it, in place of the parser's. */
function throwUsageErrors(command: Command): void {
  for (const each of command.commands) throwUsageErrors(each);
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === "commander.help" ? error : toUsageError(command, error);
  });
}

/** Adds --quiet and --color to every command that does something: all without commands of their own, and 'config'. */
function addCommonFlags(command: Command): void {
  for (const each of command.commands) addCommonFlags(each);
  if (!command.parent || (command.commands.length > 0 && command.name() !== "config")) return;
  command
    .option("-q, --quiet", QUIET_HELP)
    .addOption(
      new Option("--color <when>", "Color what is printed. Without it, on a terminal.").choices(COLOR_CHOICES),
    );
}
