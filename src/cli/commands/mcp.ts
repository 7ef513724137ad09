import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import type { Command } from "commander";
import { Option } from "commander";
import type { LocalBounds } from "../../mcp/guides.ts";
import { allowedFolders } from "../files/allowed-folders.ts";
import { configFolder, pendingFolders } from "../files/paths.ts";
import { keyFromEnvironment } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { appendValue } from "../server/setting-options.ts";
import { VERSION } from "../server/version.ts";
import { toSentence } from "../terminal/repeats.ts";
import { CommandError, remark, usageError, warn } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface McpFlags extends ConnectionFlags {
  readonly allowDir?: readonly string[];
  readonly allowEnv?: readonly string[];
  readonly allowRun?: boolean;
  readonly allowPlaintext?: boolean;
}

/** `handoff mcp` */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command("mcp")
    .description("Serve an agent over stdio: it hands secrets over without reading them (Model Context Protocol).")
    .option(
      "--allow-dir <directory>",
      "Let the agent read and create files in this directory. May be repeated. By default the working directory, unless that is / or your home directory.",
      appendValue,
    )
    .option(
      "--allow-env <name...>",
      "Let the agent send these environment variables, and its commands read them. None by default.",
    )
    .option("--allow-run", "Let the agent run commands with secrets in their environment.")
    .option("--allow-plaintext", "Let the agent read and write secrets as text: they end up in its conversation.")
    .addOption(new Option("--allow-http", "Take plain http to another machine. [HANDOFF_ALLOW_HTTP]"))
    .addHelpText(
      "after",
      `
The host of the agent, such as an editor, starts it. The server and the API key
come from HANDOFF_URL and HANDOFF_API_KEY_FILE, or from 'handoff login'. Without
a key, the agent has only the tools that open links. A command of --allow-run
runs as you and can read what you can, so keep the key out of HANDOFF_API_KEY
then.

Example:
  handoff mcp --allow-dir ~/project --allow-env STAGING_PASSWORD --allow-run`,
    )
    .action(async (flags: McpFlags) => {
      if (flags.allowRun === true) checkKeyPlace(terminal);
      const variables = checkVariables(flags.allowEnv ?? []);
      const folders = allowedFolders(flags.allowDir ?? defaultFolders(terminal), ownPlaces(terminal));
      const [{ serveMcp }, { createWorkspace }] = await Promise.all([
        import("../../mcp/server.ts"),
        import("../agents/workspace.ts"),
      ]);
      const bounds = {
        allowed_folders: folders.paths,
        allowed_variables: variables,
        run_with_secret: flags.allowRun === true,
        plaintext_tools: flags.allowPlaintext === true,
      };
      const workspace = createWorkspace(terminal, flags, { folders, variables });
      remark(terminal, describeBounds(bounds));
      await warnOfKey(terminal);
      const signal = terminal.interruptible();
      await serveMcp({ version: VERSION, workspace, bounds, signal, log: terminal.say }, terminal.streams());
    });
}

/** Throws CommandError when the key is in the environment, which the user's other processes can read. */
function checkKeyPlace({ env }: Terminal): void {
  if (!env["HANDOFF_API_KEY"]) return;
  throw usageError(
    "with --allow-run, the API key can't be in HANDOFF_API_KEY: any command could read it there. Put it into a file that only you can read, set HANDOFF_API_KEY_FILE to its path, and unset HANDOFF_API_KEY",
  );
}

function checkVariables(names: readonly string[]): readonly string[] {
  for (const name of names) {
    // An argument that is no name may be the value, so it isn't repeated.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw usageError("--allow-env: expected names of variables");
    if (name.startsWith("HANDOFF_")) throw usageError(`--allow-env: '${name}' is handoff's own, and can't be sent`);
  }
  return names;
}

/** The working directory. Throws CommandError when that would be everything that this user has. */
function defaultFolders({ env }: Terminal): string[] {
  const [cwd, home] = [realpathSync("."), resolve(env["HOME"] || homedir())];
  const isAll = !relative(cwd, existsSync(home) ? realpathSync(home) : home).startsWith("..");
  if (!isAll) return ["."];
  throw usageError(
    `the working directory is '${cwd}', which has your home directory in it. Name the directory that the agent may use: --allow-dir DIRECTORY`,
  );
}

function describeBounds({ allowed_folders: folders, allowed_variables: variables, ...switches }: LocalBounds): string {
  return [
    `The agent may use files in ${folders.join(", ")}.`,
    ...(variables.length > 0 ? [`It may send these variables: ${variables.join(", ")}.`] : []),
    ...(switches.run_with_secret ? ["It may run commands."] : []),
    ...(switches.plaintext_tools ? ["It may read and send secrets as text."] : []),
  ].join(" ");
}

/** Warns of a key that is set and can't be used: without a key, an agent gets fewer tools, and nobody is told why. */
async function warnOfKey(terminal: Terminal): Promise<void> {
  try {
    await keyFromEnvironment(terminal);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    warn(terminal, `${toSentence(error.message)} Until that is right, the agent has only the tools that open links.`);
  }
}

/** The folders and files that hold this user's keys. */
function ownPlaces(terminal: Terminal): string[] {
  const keyFile = terminal.env["HANDOFF_API_KEY_FILE"];
  return [...pendingFolders(terminal), configFolder(terminal), ...(keyFile ? [keyFile] : [])];
}
