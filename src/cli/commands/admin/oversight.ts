import type { Command } from "commander";
import { DEFAULT_PAGE_SIZE } from "../../../contract/limits.ts";
import { REQUEST_STATES, SECRET_STATES } from "../../../contract/states.ts";
import { toIsoTime } from "../../../contract/times.ts";
import { listAllRequests, listAllSecrets, revokeAnyRequest, revokeAnySecret } from "../../../domain/oversight.ts";
import type { Overseen, OversightDeps, OversightInput, Owned } from "../../../domain/oversight.ts";
import type { RequestRecord } from "../../../domain/ports/requests.ts";
import type { SecretRecord } from "../../../domain/ports/secrets.ts";
import { addAdminFlags, readAdminStore, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { readLeaked } from "../../server/administering/leaked-links.ts";
import { parseCount, parseReferenceFlag } from "../../terminal/counts.ts";
import { formatSize } from "../../terminal/progress.ts";
import { stateOption, wordOf } from "../../terminal/state-words.ts";
import { formatRareTable } from "../../terminal/tables.ts";
import { CommandError, formatJson, remark } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface ListFlags<State> extends AdminFlags {
  readonly team?: string;
  readonly state?: State;
  readonly reference?: string;
  readonly limit: string;
}

/** Secrets or requests, as an admin sees them. */
interface Things<T extends { readonly state: State; readonly endedAt: number | null }, State extends string> {
  readonly kind: "secret" | "request";
  readonly states: readonly State[];
  readonly list: (deps: OversightDeps, input: OversightInput<State>) => Promise<Owned<T>[]>;
  readonly revoke: (deps: OversightDeps, id: string) => Promise<Overseen<T>>;
  readonly headings: readonly string[];
  readonly toCells: (item: T) => readonly string[];
  readonly present: (item: T) => object;
  /** The sentence for one that was revoked, and for a state in which it is too late to revoke. */
  readonly done: string;
  readonly late: Readonly<Partial<Record<State, string>>>;
}

/** `handoff admin secret list|revoke` */
export function addSecret(admin: Command, terminal: Terminal): void {
  add(admin, terminal, {
    kind: "secret",
    states: SECRET_STATES,
    list: listAllSecrets,
    revoke: revokeAnySecret,
    headings: ["CLAIMS", "SIZE"],
    toCells: ({ claims, maxClaims, ciphertextBytes }: SecretRecord) => [
      `${claims}/${maxClaims}`,
      formatSize(ciphertextBytes),
    ],
    present: ({ ciphertextBytes, maxClaims, claims, requestId }: SecretRecord) => ({
      ciphertext_bytes: ciphertextBytes,
      max_claims: maxClaims,
      claims,
      request_id: requestId,
    }),
    done: "nobody can open it any more",
    late: { claimed: "It has been opened: change the password or key that was in it." },
  });
}

/** `handoff admin request list|revoke` */
export function addRequest(admin: Command, terminal: Terminal): void {
  add(admin, terminal, {
    kind: "request",
    states: REQUEST_STATES,
    list: listAllRequests,
    revoke: revokeAnyRequest,
    headings: ["HANDED IN"],
    toCells: ({ submissionCount, maxSubmissions }: RequestRecord) => [`${submissionCount}/${maxSubmissions}`],
    present: ({ submissionCount, maxSubmissions }: RequestRecord) => ({
      max_submissions: maxSubmissions,
      submission_count: submissionCount,
    }),
    done: "nothing can be handed in any more. What was handed in stays",
    late: {},
  });
}

type Stored = SecretRecord | RequestRecord;

function add<T extends Stored & { readonly state: State }, State extends string>(
  admin: Command,
  terminal: Terminal,
  things: Things<T, State>,
): void {
  const { kind } = things;
  const command = admin.command(kind).description(`The ${kind}s of all teams: metadata alone.`);
  const present = ({ team, item }: Owned<T>) => ({
    id: item.id,
    state: item.state,
    team: { id: team.id, name: team.name },
    created_at: toIsoTime(item.createdAt),
    expires_at: toIsoTime(item.expiresAt),
    ended_at: toIsoTime(item.endedAt),
    created_by: item.createdBy,
    reference: item.reference,
    ...things.present(item),
  });
  addAdminFlags(command.command("list").description(`List ${kind}s, newest first.`))
    .option("--team <name>", "Only those of this team.")
    .addOption(stateOption("Only those in this state.", things.states))
    .option("--reference <ticket>", "Only those about this ticket, such as OPS-4711.")
    .option("--limit <n>", "Maximum number to list.", String(DEFAULT_PAGE_SIZE))
    .action(async ({ team, state, reference: ticket, limit: most, ...flags }: ListFlags<State>) => {
      const limit = parseCount("--limit", most) ?? DEFAULT_PAGE_SIZE;
      const reference = parseReferenceFlag(ticket);
      const input = { team, state, reference, limit };
      const all = await readAdminStore(flags, terminal, (deps) => things.list(deps, input));
      if (flags.json) return terminal.out(formatJson(all.map(present)));
      const rows = all.map(({ team: of, item }) => [
        item.id,
        of.name,
        item.state,
        ...things.toCells(item),
        toIsoTime(item.createdAt) ?? "",
        toIsoTime(item.endedAt ?? item.expiresAt) ?? "",
        item.reference ?? "",
      ]);
      terminal.out(
        formatRareTable(["ID", "TEAM", "STATE", ...things.headings, "CREATED", "ENDS"], ["REFERENCE"], rows),
      );
    });
  addAdminFlags(command.command("revoke").argument(`[${kind}-id]`, "Without it, a link is read from standard input."))
    .description(`Revoke a ${kind} of any team, whose link has leaked say. Exit code 4: it's too late.`)
    .addHelpText("after", `\nExample:\n  handoff admin ${kind} revoke < link.txt`)
    .action(async (argument: string | undefined, flags: AdminFlags) => {
      const id = await readLeaked(terminal, kind, argument);
      const overseen = await withAdminStore(flags, terminal, (deps) => things.revoke(deps, id));
      const { item, team } = overseen;
      if (flags.json) terminal.out(formatJson(present(overseen)));
      if (item.state !== "revoked") {
        const advice = things.late[item.state];
        const when = toIsoTime(item.endedAt);
        throw new CommandError(
          `Too late: ${id} of the team '${team.name}' ${item.state === "expired" ? "" : "was "}${wordOf(item.state)} at ${when}.${advice ? ` ${advice}` : ""}`,
          "gone",
        );
      }
      if (!flags.json) remark(terminal, `Revoked ${id} of the team '${team.name}': ${things.done}.`);
    });
}
