import type { Command } from "commander";
import { removeLogin } from "../state/logins.ts";
import { remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff logout` */
export function addLogout(program: Command, terminal: Terminal): void {
  program
    .command("logout")
    .description("Forget the server URL and the API key. The API key stays valid until it's revoked.")
    .action(async () => {
      const url = await removeLogin(terminal);
      remark(terminal, url === undefined ? "You weren't logged in." : `Logged out of ${url}.`);
    });
}
