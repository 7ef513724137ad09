import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { toServerPolicy } from "../server/policy.ts";
import { VERSION } from "../server/version.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff openapi`: the document that a server with the same settings and a base URL serves, byte for byte. */
export function addOpenapi(program: Command, terminal: Terminal): void {
  program
    .command("openapi")
    .description("Print the OpenAPI document of the API. HANDOFF_BASE_URL sets the address of the server in it.")
    .action(async () => {
      // Loaded here, so that no other command waits for it.
      const { describeApi } = await import("../../http/openapi/document.ts");
      const settings = loadSettings({}, terminal.env);
      const baseUrl = settings.baseUrl ?? "/";
      const document = await describeApi({ policy: toServerPolicy(settings), version: VERSION, baseUrl });
      terminal.out(terminal.isTerminal.out ? `${JSON.stringify(document, null, 2)}\n` : JSON.stringify(document));
    });
}
