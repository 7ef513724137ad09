import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { toServerPolicy } from "../server/policy.ts";
import { VERSION } from "../server/version.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff openapi`: the document of a server with the same settings, byte for byte, without one. */
export function addOpenapi(program: Command, terminal: Terminal): void {
  program
    .command("openapi")
    .description("Print the OpenAPI document of the API, as a server with these settings answers at /openapi.json.")
    .action(async () => {
      // Loaded here, so that no other command waits for it.
      const { describeApi } = await import("../../http/openapi/document.ts");
      const settings = loadSettings({}, terminal.env);
      const baseUrl = settings.baseUrl ?? "/";
      const document = await describeApi({ policy: toServerPolicy(settings), version: VERSION, baseUrl });
      terminal.out(terminal.isTerminal.out ? `${JSON.stringify(document, null, 2)}\n` : JSON.stringify(document));
    });
}
