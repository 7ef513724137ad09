import type { Command } from "commander";
import { listSecrets } from "../../client/secrets.ts";
import { DEFAULT_PAGE_SIZE } from "../../contract/limits.ts";
import { SECRET_STATES } from "../../contract/states.ts";
import type { SecretState } from "../../contract/states.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { findLabel } from "../state/labels.ts";
import { parseCount, parseReferenceFlag } from "../terminal/counts.ts";
import { formatSize } from "../terminal/progress.ts";
import { stateOption } from "../terminal/state-words.ts";
import { formatRareTable } from "../terminal/tables.ts";
import { formatJson, remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

interface ListFlags extends ConnectionFlags {
  readonly state?: SecretState;
  readonly reference?: string;
  readonly limit: string;
}

/** `handoff list` */
export function addList(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("list"))
    .description("List the secrets of your team, newest first.")
    .addOption(stateOption("List only secrets in this state.", SECRET_STATES))
    .option("--reference <ticket>", "List only secrets about this ticket, such as OPS-4711.")
    .option("--limit <n>", "Maximum number to list.", String(DEFAULT_PAGE_SIZE))
    .addHelpText("after", "\nExamples:\n  handoff list --state waiting\n  handoff list --reference OPS-4711")
    .action((flags: ListFlags) => list(terminal, flags));
}

/** The first of those whom a secret is for, and how many there are besides; empty for everybody. */
function describeFor(addressees: readonly string[] | null): string {
  const [first = "", ...others] = addressees ?? [];
  return others.length === 0 ? first : `${first} +${others.length}`;
}

async function list(terminal: Terminal, flags: ListFlags): Promise<void> {
  const limit = parseCount("--limit", flags.limit) ?? DEFAULT_PAGE_SIZE;
  const reference = parseReferenceFlag(flags.reference);
  const client = await connect(terminal, flags, terminal.interruptible());
  const listed = await listSecrets(client, { limit, state: flags.state, reference });
  const secrets = listed.map((each) => ({ ...each, label: findLabel(terminal, client.baseUrl, each.id) }));
  if (flags.json) return terminal.out(formatJson(secrets));
  if (secrets.length === 0) return remark(terminal, "No secrets.");
  const rows = secrets.map((secret) => [
    secret.id,
    secret.state,
    `${secret.claims}/${secret.max_claims}`,
    formatSize(secret.ciphertext_bytes),
    formatTime(secret.created_at),
    formatTime(secret.ended_at ?? secret.expires_at),
    describeFor(secret.for),
    secret.approval ?? "",
    secret.reference ?? "",
    secret.label ?? "",
  ]);
  terminal.out(
    formatRareTable(
      ["ID", "STATE", "CLAIMS", "SIZE", "CREATED", "ENDS"],
      ["FOR", "APPROVAL", "REFERENCE", "LABEL"],
      rows,
    ),
  );
}
