import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Where the login is kept: `$XDG_CONFIG_HOME/handoff` (XDG Base Directory Specification). */
export function configFolder({ env }: Pick<Terminal, "env">): string {
  return join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "handoff");
}

/** Where what is not finished is kept: `$XDG_STATE_HOME/handoff`. */
export function stateFolder({ env }: Pick<Terminal, "env">): string {
  return join(env["XDG_STATE_HOME"] || join(env["HOME"] || homedir(), ".local", "state"), "handoff");
}
