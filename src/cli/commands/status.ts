import type { Command } from "commander";
import { getSecret } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { addConnectionFlags, connect, type ConnectionFlags } from "../connections.ts";
import { handoverOfLink } from "../handovers.ts";
import { readLink } from "../link-arguments.ts";
import { formatSize } from "../progress.ts";
import type { Terminal } from "../terminal.ts";
import { formatTime, formatWait } from "../times.ts";

/** `handoff status` */
export function addStatus(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("status"))
    .argument("[link-or-id]", "A link, or the id of a secret of your team. Without it, standard input.")
    .description("Say what became of a secret. Uses nothing up.")
    .addHelpText("after", "\nExample:\n  handoff status sec_069q6gv7k1rqf8a0c2m4e6g8io")
    .action(async (argument: string | undefined, flags: ConnectionFlags) => {
      const secret = await findSecret(terminal, await readLink(terminal, argument), flags);
      terminal.out(flags.json ? `${JSON.stringify(secret)}\n` : `${describe(secret)}\n`);
    });
}

async function findSecret(terminal: Terminal, text: string, flags: ConnectionFlags): Promise<Secret> {
  const signal = terminal.interruptible();
  if (text.startsWith("sec_")) return getSecret(await connect(terminal, flags, signal), text);
  const { client, id } = await handoverOfLink(terminal, flags, text, signal);
  return getSecret(client, id);
}

/** A sentence about a secret. */
function describe(secret: Secret): string {
  const { state, claims, max_claims: maxClaims } = secret;
  const size = formatSize(secret.ciphertext_bytes);
  const ended = secret.ended_at === null ? "" : ` at ${formatTime(secret.ended_at)}`;
  const counted = maxClaims === 1 ? "" : ` (${claims} of ${maxClaims} times)`;
  switch (state) {
    case "available":
      return `available${counted}: ${size}, until ${formatTime(secret.expires_at)} (${formatWait(secret.expires_at)})`;
    case "claimed":
      return `claimed${ended}${counted}`;
    case "expired":
    case "revoked":
      return `${state}${ended}${counted}`;
  }
}
