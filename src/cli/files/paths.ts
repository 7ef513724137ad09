import { join } from "node:path";
import { baseFolder } from "../../config/base-folders.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ownFolder } from "./own-folders.ts";

// These functions throw CommandError for a folder that another user owns or can change.

/** The folder of the login: `$XDG_CONFIG_HOME/handoff` (XDG Base Directory Specification). */
export function configFolder({ env }: Pick<Terminal, "env">): string {
  return ownFolder(join(baseFolder(env, "XDG_CONFIG_HOME", ".config"), "handoff"));
}

/** The folders for unfinished work, the best first: the state folder, and `$XDG_RUNTIME_DIR/handoff`. */
export function pendingFolders(terminal: Pick<Terminal, "env">): string[] {
  const runtime = terminal.env["XDG_RUNTIME_DIR"];
  return [stateFolder(terminal), ...(runtime?.startsWith("/") ? [ownFolder(join(runtime, "handoff"))] : [])];
}

/** The folder for state that lasts: `$XDG_STATE_HOME/handoff`. */
export function stateFolder({ env }: Pick<Terminal, "env">): string {
  return ownFolder(join(baseFolder(env, "XDG_STATE_HOME", ".local", "state"), "handoff"));
}
