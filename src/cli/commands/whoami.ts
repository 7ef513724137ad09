import type { Command } from "commander";
import { getCredential } from "../../client/credentials.ts";
import { largestContentOf } from "../../client/limits.ts";
import { findServerVersion } from "../../client/server-versions.ts";
import type { Credential } from "../../contract/credentials.ts";
import { addConnectionFlags, connect, quietFetch } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { formatSize } from "../terminal/progress.ts";
import { formatTable } from "../terminal/tables.ts";
import { formatRules } from "../terminal/team-rules.ts";
import { formatJson } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

/** `handoff whoami` */
export function addWhoami(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("whoami"))
    .description("Show who you are to the server, and what you may do.")
    .action(async (flags: ConnectionFlags) => {
      const signal = terminal.interruptible();
      const client = await connect(terminal, flags, signal);
      const [credential, version] = await Promise.all([
        getCredential(client),
        findServerVersion(client.baseUrl, quietFetch, signal),
      ]);
      if (flags.json) return terminal.out(formatJson({ url: client.baseUrl, server_version: version, ...credential }));
      const facts = {
        server: client.baseUrl,
        "server version": version ?? "-",
        identity: credential.identity?.name ?? "-",
        team: credential.team?.name ?? "-",
        key: credential.key_id ?? "-",
        scopes: credential.scopes.join(" "),
        expires: credential.expires_at === null ? "never" : formatTime(credential.expires_at),
        "largest secret": formatSize(largestContentOf(credential.limits)),
        ...describeStorage(credential),
        ...(credential.rules === null ? {} : { "team rules": formatRules(credential.rules) }),
      };
      terminal.out(formatTable(["FIELD", "VALUE"], Object.entries(facts)));
    });
}

/** The storage that the team uses; empty when the server doesn't say. */
function describeStorage({ team_stored_bytes: stored, limits: { team_quota_bytes: quota } }: Credential) {
  if (!Number.isInteger(stored) || !Number.isInteger(quota)) return {};
  return { "team storage": `${formatSize(stored ?? 0)} of ${formatSize(quota)}` };
}
