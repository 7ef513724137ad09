import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { toServerPolicy } from "../server/policy.ts";
import { VERSION } from "../server/version.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff openapi`: the specification, without a server. */
export function addOpenapi(program: Command, terminal: Terminal): void {
  program
    .command("openapi")
    .description("Print the OpenAPI document of the API.")
    .action(async () => {
      // Loaded here, so that no other command waits for it.
      const { describeApi } = await import("../../http/openapi/document.ts");
      const policy = toServerPolicy(loadSettings({}, terminal.env));
      const document = await describeApi({ policy, version: VERSION, baseUrl: "/" });
      terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    });
}
