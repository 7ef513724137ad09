import type { Command } from "commander";
import { isScope, SCOPES } from "../../../contract/scopes.ts";
import type { Scope } from "../../../contract/scopes.ts";
import { CommandError } from "../../terminal/terminal.ts";
import { appendValue } from "../setting-options.ts";

/** Adds the flag `--scope` to `command`; `what` describes it. */
export function addScopes(command: Command, what: string): Command {
  return command.option("--scope <scope>", `${what}; may be repeated. One of: all, ${SCOPES.join(", ")}.`, appendValue);
}

/** The scopes of `--scope`, each of which may name several. Throws CommandError for an unknown one. */
export function parseScopes(values: readonly string[] = []): Scope[] {
  return values
    .flatMap((value) => value.split(/[\s,]+/))
    .filter(Boolean)
    .flatMap((value) => {
      if (value === "all") return [...SCOPES];
      if (isScope(value)) return value;
      throw new CommandError(`--scope is '${value}': expected all, or one of ${SCOPES.join(", ")}`, "usage");
    });
}
