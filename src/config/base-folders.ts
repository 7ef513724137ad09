import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "./sources.ts";

/**
 * The folder that a variable of the XDG Base Directory Specification names, else `fallback` in the home directory. A
 * relative path counts as not set, as that specification says.
 */
export function baseFolder(env: Environment, name: `XDG_${string}_HOME`, ...fallback: readonly string[]): string {
  const given = env[name];
  return given && isAbsolute(given) ? given : join(env["HOME"] || homedir(), ...fallback);
}
