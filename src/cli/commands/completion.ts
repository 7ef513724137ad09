import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** `handoff completion`, and the hidden `complete` that the scripts call. To be added after every other command. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: "completion" });
}
