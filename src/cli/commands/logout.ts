import type { Command } from "commander";
import { removeLogin } from "../logins.ts";
import type { Terminal } from "../terminal.ts";

/** `handoff logout` */
export function addLogout(program: Command, terminal: Terminal): void {
  program
    .command("logout")
    .description("Forget the server and the key. The key itself stays good: an admin revokes it.")
    .action(async () => {
      const url = await removeLogin(terminal);
      terminal.say(url === undefined ? "You were not logged in." : `Logged out of ${url}.`);
    });
}
