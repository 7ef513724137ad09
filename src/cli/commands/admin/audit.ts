import type { Command } from "commander";
import { formatCsv } from "../../../client/audit/csv.ts";
import { COLUMNS } from "../../../client/audit/lines.ts";
import { codeOf } from "../../../contract/error-traces.ts";
import type { AuditLine } from "../../../contract/events.ts";
import { toIsoTime } from "../../../contract/times.ts";
import { getTeam } from "../../../domain/administration.ts";
import { listAudit } from "../../../domain/events.ts";
import type { AuditQuery } from "../../../domain/events.ts";
import type { SealRecord } from "../../../domain/ports/events.ts";
import { systemClock } from "../../../domain/values/clocks.ts";
import { compareLog, lastSealOf } from "../../checks/log-seals.ts";
import { addAdminFlags, placeOf, readAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import type { Place } from "../../server/storages/places.ts";
import { parseDate, parseSpan } from "../../terminal/ends.ts";
import { CommandError, formatJson, remark, toLine, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface AuditFlags extends AdminFlags {
  readonly team: string;
  readonly since?: string;
  readonly until?: string;
  readonly csv?: true;
  readonly expect?: string;
}

/** `handoff admin audit` */
export function addAudit(admin: Command, terminal: Terminal): void {
  addAdminFlags(admin.command("audit"))
    .description("Print what happened to each secret and request of a team, oldest first, with who did it.")
    .requiredOption("--team <name>", "The team, by name or id.")
    .option("--since <time>", "Only from this time on, such as 2026-11-28, or so long ago, such as 30d.")
    .option("--until <time>", "Only before this time.")
    .option("--csv", "Print CSV, for a spreadsheet.")
    .option("--expect <hash>", "Fail unless the log still has this hash, which an earlier run has printed.")
    .addHelpText("after", HELP)
    .action(async (flags: AuditFlags) => {
      try {
        await audit(flags, terminal);
      } catch (error) {
        // The reader has what it wanted.
        if (error instanceof CommandError && codeOf(error.cause) === "EPIPE") return;
        throw error;
      }
    });
}

const HELP = `
A line has the time, what happened, the secret or request, the ticket, who did
it, how they proved their address (code or session), the network they came from
and the words of an ask for approval, with a tab between them and - for what
there isn't. Networks are there if the server runs with --log-addresses.
--json prints an object a line. --csv begins with a line of names; a cell that
a spreadsheet would compute begins with an apostrophe. Lines are kept as long
as ended secrets: --tombstones.

At the end comes the hash of the log up to a time, on standard error or as the
last object. A running server adds lines to it once they are a minute old. Keep
the hash where nobody can change it who can write to the database, and give it
to --expect later.

Examples:
  handoff admin audit --team ops --since 30d --csv > audit.csv
  handoff admin audit --team ops --json | jq -r 'select(.type == "secret.claimed").secret_id'`;

type AuditDeps = Parameters<typeof listAudit>[0];
type Range = Pick<AuditQuery, "since" | "until">;

async function audit(flags: AuditFlags, terminal: Terminal): Promise<void> {
  if (flags.csv && flags.json) throw usageError("Give either --csv or --json.");
  const range = { since: parseTime("--since", flags.since), until: parseTime("--until", flags.until) };
  if (range.since !== undefined && range.until !== undefined && range.since >= range.until) {
    throw usageError("--since must be before --until.");
  }
  const place = placeOf(flags, terminal);
  if (flags.expect !== undefined) {
    await readAdminStore(flags, terminal, (deps) => getTeam(deps, flags.team));
    await expectHash(place, flags.expect);
  }
  await readAdminStore(flags, terminal, async (deps) => {
    const team = await getTeam(deps, flags.team);
    const print = printerOf(flags);
    if (flags.csv) terminal.out(formatCsv(COLUMNS));
    let count = 0;
    for await (const page of pagesOf(deps, team.id, range)) {
      count += page.length;
      terminal.out(page.map(print).join(""));
    }
    if (count === 0) remark(terminal, `There are no events of the team '${toLine(team.name)}'${describeRange(range)}.`);
  });
  // A hash must not stand for what is missing above it. With --expect, the log was compared before.
  const state = flags.expect === undefined ? await compareLog(place) : undefined;
  if (state && state.gaps.length > 0) throw broken();
  printSeal(await lastSealOf(place), flags, terminal);
}

function broken(): CommandError {
  return new CommandError("The log isn't as it was sealed. To see where, run: handoff admin check");
}

/** Completes a sentence; empty for all times. */
function describeRange({ since, until }: Range): string {
  if (until === undefined) return since === undefined ? "" : ` since ${since}`;
  return since === undefined ? ` before ${until}` : ` between ${since} and ${until}`;
}

/** The time that a flag gives (RFC 3339); undefined without one. */
function parseTime(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const span = parseSpan(text);
  const time = span === undefined ? parseDate(text) : systemClock.now() - span * 1000;
  if (Number.isNaN(time)) {
    throw usageError(
      `${flag} must be a day such as 2026-11-28, which begins at midnight UTC, a time with its zone such as 2026-11-28T14:30Z or 2026-11-28T14:30+01:00, or a duration such as 30d.`,
    );
  }
  return toIsoTime(Math.max(0, time));
}

/** Throws CommandError unless the log has a seal with this hash, and is as it was sealed. */
async function expectHash(place: Place, text: string): Promise<void> {
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw usageError("--expect must be a hash that 'admin audit' has printed.");
  const state = await compareLog(place, hash);
  if (state && state.gaps.length > 0) throw broken();
  if (state?.isKnown) return;
  const start = state && state.startsAt > 0 ? ` It begins at ${toIsoTime(state.startsAt)}.` : "";
  throw new CommandError(
    `The log no longer has this hash.${start} Older lines were deleted when their time was over, a backup was restored, or somebody changed the log.`,
  );
}

/** The lines of the audit of a team, oldest first, a page at a time. */
async function* pagesOf(deps: AuditDeps, teamId: string, range: Range): AsyncGenerator<readonly AuditLine[]> {
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor: next } = await listAudit(deps, teamId, { ...range, cursor });
    yield data;
    if (next === null) return;
    cursor = next;
  }
}

function printerOf({ csv, json }: AuditFlags): (line: AuditLine) => string {
  if (json) return formatJson;
  if (csv) return (line) => formatCsv(COLUMNS.map((name) => toLine(line[name] ?? "")));
  return (line) =>
    `${describe(line)
      .map((cell) => toLine(cell ?? "-"))
      .join("\t")}\n`;
}

function describe({ time, type, secret_id, request_id, reference, proof, network, ask, ...who }: AuditLine) {
  // The id of the ask comes first.
  const words = ask?.split(" ").slice(1).join(" ") ?? null;
  return [time, type, secret_id ?? request_id, reference, nameActor(who), proof, network, words];
}

function nameActor({ actor, identity, name, address }: Pick<AuditLine, "actor" | "identity" | "name" | "address">) {
  if (identity !== null) return name === null ? identity : `${name} (${identity})`;
  if (actor === "link") return address === null ? "holder of the link" : `holder of the link (${address})`;
  return address;
}

function printSeal(seal: SealRecord | undefined, { json }: AuditFlags, terminal: Terminal): void {
  const [until, hash] = [toIsoTime(seal?.endsAt ?? null), seal?.hash.toHex() ?? null];
  if (json) terminal.out(formatJson({ sealed_until: until, hash }));
  else if (hash === null)
    remark(terminal, "The log has no hash yet: a running server adds lines once they are a minute old.");
  else remark(terminal, `Hash of the log until ${until}: ${hash}`);
}
