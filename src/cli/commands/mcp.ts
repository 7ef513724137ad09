import type { Command } from "commander";
import { Option } from "commander";
import { allowedFolders } from "../allowed-folders.ts";
import type { ConnectionFlags } from "../connections.ts";
import { configFolder, pendingFolders } from "../paths.ts";
import { collect } from "../setting-options.ts";
import type { Terminal } from "../terminal.ts";
import { VERSION } from "./version.ts";

interface McpFlags extends ConnectionFlags {
  readonly allowDir?: readonly string[];
  readonly allowRun?: boolean;
  readonly allowPlaintext?: boolean;
}

/** `handoff mcp` */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command("mcp")
    .description("Let an agent hand secrets over without reading them: a Model Context Protocol server on stdio.")
    .option(
      "--allow-dir <folder>",
      "A folder in which files may be read and made; may be repeated. Without it, the working directory.",
      collect,
    )
    .option("--allow-run", "Let the agent run commands with secrets in their environment.")
    .option("--allow-plaintext", "Let the agent read and write secrets as text: they end up in its conversation.")
    .addOption(new Option("--allow-http", "Take plain http to another machine. [HANDOFF_ALLOW_HTTP]"))
    .addHelpText(
      "after",
      `
It is started by the host of the agent, such as an editor, and takes server and key from HANDOFF_URL and
HANDOFF_API_KEY_FILE, or from 'handoff login'. Without a key, links can be opened and nothing else.

Example:
  handoff mcp --allow-dir ~/project --allow-run`,
    )
    .action(async (flags: McpFlags) => {
      const folders = allowedFolders(flags.allowDir ?? ["."], ownPlaces(terminal));
      const [{ serveMcp }, { createWorkspace }] = await Promise.all([
        import("../../mcp/server.ts"),
        import("../mcp-workspace.ts"),
      ]);
      const bounds = {
        allowed_folders: folders.paths,
        run_with_secret: flags.allowRun === true,
        plaintext_tools: flags.allowPlaintext === true,
      };
      const workspace = createWorkspace(terminal, flags, folders);
      const signal = terminal.interruptible();
      await serveMcp({ version: VERSION, workspace, bounds, signal, log: terminal.say }, terminal.streams());
    });
}

/** The folders and files in which this user's keys are. */
function ownPlaces(terminal: Terminal): string[] {
  const keyFile = terminal.env["HANDOFF_API_KEY_FILE"];
  return [...pendingFolders(terminal), configFolder(terminal), ...(keyFile ? [keyFile] : [])];
}
