import type { Command } from "commander";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff page-hash` */
export function addPageHash(program: Command, terminal: Terminal): void {
  program
    .command("page-hash")
    .description("Print the SHA-256 of every file of the page, to compare with what a server serves.")
    .addHelpText(
      "after",
      `
Example: what a server really serves, against what this executable would
  curl -sS https://handoff.example/assets/…/secret.js | sha256sum`,
    )
    .action(async () => {
      // Loaded here and not above, so that the help doesn't wait for it.
      const { PAGE } = await import("../server/page-sources.ts");
      const { pageAssets } = await import("../../http/pages/page-assets.ts");
      const { bytesOf } = await import("../../http/pages/texts.ts");
      for (const { path, content } of pageAssets(PAGE).assets) {
        terminal.out(`${new Bun.CryptoHasher("sha256").update(bytesOf(content)).digest("hex")}  ${path}\n`);
      }
    });
}
