import type { Command } from "commander";
import { endLogin } from "../../client/signing-in/logins.ts";
import { quietFetch } from "../handovers/connections.ts";
import { findLogin, removeLogin } from "../state/logins.ts";
import { remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff logout` */
export function addLogout(program: Command, terminal: Terminal): void {
  program
    .command("logout")
    .description(
      "Forget the server URL and the API key. A login by the browser ends; another API key stays valid until it's revoked.",
    )
    .action(async () => {
      const login = await findLogin(terminal).catch(() => undefined);
      const isEnded = !login?.isByBrowser || (await endLogin({ ...login, fetch: quietFetch }, login.apiKey));
      const url = await removeLogin(terminal);
      remark(terminal, url === undefined ? "You weren't logged in." : `Logged out of ${url}.`);
      if (!isEnded) {
        terminal.say("The server couldn't be told. The login ends by itself, or when you sign out at the page.");
      }
    });
}
