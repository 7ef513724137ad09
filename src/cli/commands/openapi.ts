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
      // Loaded here and not above: nothing else that starts should wait for it.
      const { describeApi } = await import("../../http/openapi/document.ts");
      const policy = toServerPolicy(loadSettings({}, terminal.env));
      terminal.out(`${JSON.stringify(describeApi({ policy, version: VERSION, baseUrl: "/" }), null, 2)}\n`);
    });
}
