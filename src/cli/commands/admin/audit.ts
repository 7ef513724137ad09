import type { Command } from "commander";
import { codeOf } from "../../../contract/error-traces.ts";
import { toIsoTime } from "../../../contract/times.ts";
import { getTeam } from "../../../domain/administration.ts";
import { toEvent } from "../../../domain/events.ts";
import type { EventStore, ListedEvent, SealRecord } from "../../../domain/ports/events.ts";
import { systemClock } from "../../../domain/values/clocks.ts";
import { firstIdAt } from "../../../domain/values/ids.ts";
import { compareLog, lastSealOf } from "../../checks/log-seals.ts";
import { addAdminFlags, placeOf, readAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import type { Place } from "../../server/storages/places.ts";
import { formatCsv } from "../../terminal/csv.ts";
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
it, how they proved their address (code or session) and the network they came
from, with a tab between them and - for what there isn't. Networks are there if
the server runs with --log-addresses. --json prints an object a line. --csv
begins with a line of names; a cell that a spreadsheet would compute begins
with an apostrophe. Lines are kept as long as ended secrets: --tombstones.

At the end comes the hash of the log up to a time, on standard error or as the
last object. A running server adds lines to it once they are a minute old. Keep
the hash where nobody can change it who can write to the database, and give it
to --expect later.

Examples:
  handoff admin audit --team ops --since 30d --csv > audit.csv
  handoff admin audit --team ops --json | jq -r 'select(.type == "secret.claimed").secret_id'`;

/** The events of one read. */
const PAGE = 500;
/** How much earlier than its event an id may be, and more: an id is compared with no time of the events. */
const EARLIER_MS = 60_000;

async function audit(flags: AuditFlags, terminal: Terminal): Promise<void> {
  if (flags.csv && flags.json) throw usageError("Give either --csv or --json.");
  const range = { since: parseTime("--since", flags.since) ?? 0, until: parseTime("--until", flags.until) ?? Infinity };
  const place = placeOf(flags, terminal);
  if (flags.expect !== undefined) await expectHash(place, flags.expect);
  await readAdminStore(flags, terminal, async (deps) => {
    const { store } = deps;
    const team = await getTeam(deps, flags.team);
    const identities = await store.listIdentities(team.id);
    const print = printerOf(flags, new Map(identities.map(({ id, name }) => [id, name])));
    if (flags.csv) terminal.out(formatCsv(COLUMNS));
    for await (const page of pagesOf(store, team.id, range)) terminal.out(page.map(print).join(""));
  });
  printSeal(await lastSealOf(place), flags, terminal);
}

function parseTime(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const span = parseSpan(text);
  const time = span === undefined ? parseDate(text) : systemClock.now() - span * 1000;
  if (Number.isNaN(time)) throw usageError(`${flag} must be a time such as 2026-11-28, or a duration such as 30d.`);
  return time;
}

/** Throws CommandError unless the log has a seal with this hash, and is as it was sealed. */
async function expectHash(place: Place, text: string): Promise<void> {
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw usageError("--expect must be a hash that 'admin audit' has printed.");
  const state = await compareLog(place, hash);
  if (state && state.gaps.length > 0) {
    throw new CommandError("The log isn't as it was sealed. To see where, run: handoff admin check");
  }
  if (state?.isKnown) return;
  const start = state && state.startsAt > 0 ? ` It begins at ${toIsoTime(state.startsAt)}.` : "";
  throw new CommandError(
    `The log no longer has this hash.${start} Older lines were deleted when their time was over, a backup was restored, or somebody changed the log.`,
  );
}

/** The events of a team from one time to another, oldest first, a page at a time. */
async function* pagesOf(
  store: EventStore,
  teamId: string,
  { since, until }: { readonly since: number; readonly until: number },
): AsyncGenerator<readonly ListedEvent[]> {
  let after = firstIdAt("event", Math.max(0, since - EARLIER_MS));
  for (let page: readonly ListedEvent[]; (page = await store.listEvents(teamId, after, PAGE)).length > 0;) {
    yield page.filter(({ createdAt }) => createdAt >= since && createdAt < until);
    const last = page.at(-1);
    if (!last || last.createdAt >= until) return;
    after = last.id;
  }
}

/** What is printed of an event, under the names that JSON and CSV have. */
const COLUMNS = [
  "time",
  "type",
  "secret_id",
  "request_id",
  "reference",
  "actor",
  "identity",
  "name",
  "address",
  "proof",
  "network",
  "ask",
  "id",
] as const;

type Line = Readonly<Record<(typeof COLUMNS)[number], string | null>>;

function toPrinted(event: ListedEvent, names: ReadonlyMap<string, string>): Line {
  const { actor, created_at: time, type } = toEvent(event);
  const { secretId, requestId, reference, actorId, address, proof, network, ask, id } = event;
  return {
    time,
    type,
    secret_id: secretId,
    request_id: requestId,
    reference,
    actor: actor?.kind ?? null,
    identity: actorId,
    name: actorId === null ? null : (names.get(actorId) ?? null),
    address,
    proof,
    network,
    ask,
    id,
  };
}

function printerOf({ csv, json }: AuditFlags, names: ReadonlyMap<string, string>): (event: ListedEvent) => string {
  if (json) return (event) => formatJson(toPrinted(event, names));
  if (csv) {
    return (event) => {
      const line = toPrinted(event, names);
      return formatCsv(COLUMNS.map((name) => line[name] ?? ""));
    };
  }
  return (event) =>
    `${describe(toPrinted(event, names))
      .map((cell) => toLine(cell ?? "-"))
      .join("\t")}\n`;
}

function describe({ time, type, secret_id, request_id, reference, proof, network, ...who }: Line) {
  return [time, type, secret_id ?? request_id, reference, nameActor(who), proof, network];
}

function nameActor({ actor, identity, name, address }: Pick<Line, "actor" | "identity" | "name" | "address">) {
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
