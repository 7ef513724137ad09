import type { Command } from "commander";
import { toIsoTime } from "../../../contract/times.ts";
import { getTeam } from "../../../domain/administration.ts";
import { createKey, getKey, revokeKey, rotateKey, undoRotation } from "../../../domain/keys.ts";
import type { MintedKey } from "../../../domain/keys.ts";
import type { KeyRecord } from "../../../domain/ports/identities.ts";
import { addAdminFlags, readAdminStore, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { addScopes, parseScopes } from "../../server/administering/scopes.ts";
import { showOnce } from "../../server/administering/shown-once.ts";
import { appendValue } from "../../server/setting-options.ts";
import { parseDate, parseSpan } from "../../terminal/ends.ts";
import { formatTable } from "../../terminal/tables.ts";
import { checkStandardOutput, CommandError, formatJson, remark } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface CreateFlags extends AdminFlags {
  readonly team: string;
  readonly identity: string;
  readonly scope?: readonly string[];
  readonly expires?: string;
  readonly name?: string;
  readonly from?: readonly string[];
}

interface RotateFlags extends AdminFlags {
  readonly overlap: string;
  readonly expires?: string;
  readonly from?: readonly string[];
}

const NETWORKS = ": an address, or a range such as 10.0.0.0/8. May be repeated.";

/** `handoff admin key create|list|show|rotate|revoke` */
export function addKey(admin: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  const key = admin.command("key").description("API keys. A key is shown once, when it is made.");
  addCreate(key, terminal);
  addList(key, terminal, exitWith);
  addShow(key, terminal);
  addRotate(key, terminal);
  addRevoke(key, terminal);
}

function addCreate(key: Command, terminal: Terminal): void {
  const create = key.command("create").description("Mint a key. It is all that is printed on standard output.");
  addScopes(addAdminFlags(create), "What a new identity may do")
    .requiredOption("--team <name>", "The team, by name or id.")
    .requiredOption("--identity <name>", "Who will hold the key; made if it is new.")
    .option(
      "--expires <when>",
      "A duration such as 90d, or a date such as 2027-01-31. Without it the key never expires.",
    )
    .option("--name <name>", "A name for the key, to tell it from others.")
    .option("--from <network>", `A network that the key works from${NETWORKS}`, appendValue)
    .addHelpText(
      "after",
      `
From other networks the key is refused like an unknown one, and its team gets
the event key.refused. Behind a proxy, the server has to know the address of the
caller: set --trusted-proxy. Over a Unix socket the key works only behind one.

Examples:
  KEY=$(handoff admin key create --team ops --identity ci --scope secrets:create)
  KEY=$(handoff admin key create --team ops --identity ci --from 10.0.0.0/8 --from 2001:db8::/32)`,
    )
    .action(async (flags: CreateFlags) => {
      checkStandardOutput(terminal);
      const scopes = parseScopes(flags.scope);
      const endAt = parseEnd("--expires", flags.expires);
      await withAdminStore(flags, terminal, async (deps) => {
        const minted = await createKey(deps, {
          team: flags.team,
          identity: flags.identity,
          scopes,
          name: flags.name ?? null,
          expiresAt: endAt(deps.clock.now()),
          networks: flags.from,
        });
        const { id } = minted.key;
        const undo = async () => {
          await revokeKey(deps, id);
          return `The new key ${id} was revoked. Run this again where its output can be written.`;
        };
        await showOnce(() => showMinted(minted, flags, terminal), undo, toRevoke(id));
      });
    });
}

function addList(key: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  addAdminFlags(key.command("list").description("List keys. Tokens are not among what is known of them."))
    .option("--team <name>", "Only those of this team.")
    .option("--expiring <duration>", "Only valid keys without a successor that end within this time, such as 30d.")
    .addHelpText("after", "\nWith --expiring, the exit code is 0 when there is none, and 1 when there are\nsome.")
    .action(async (flags: AdminFlags & { readonly team?: string; readonly expiring?: string }) => {
      const seconds = flags.expiring === undefined ? undefined : parseSpan(flags.expiring);
      if (flags.expiring !== undefined && !seconds)
        throw usage("--expiring", flags.expiring, "a duration such as 12h or 30d");
      const { keys: all, now } = await readAdminStore(flags, terminal, async (deps) => {
        const teamId = flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id;
        return { keys: await deps.store.listKeys(teamId), now: deps.clock.now() };
      });
      const keys = seconds === undefined ? all : all.filter((each) => isExpiring(each, now, now + seconds * 1000));
      if (seconds !== undefined && keys.length > 0) exitWith(1);
      if (flags.json) {
        terminal.out(formatJson(keys.map((each) => present(each, now))));
        return;
      }
      if (seconds !== undefined && keys.length === 0) return remark(terminal, `No key ends within ${flags.expiring}.`);
      const headings = ["ID", "HINT", "IDENTITY", "TEAM", "NAME", "FROM", "STATE", "ENDS", "LAST USED"];
      const rows = keys.map((each) => toRow(each, now));
      terminal.out(formatTable(headings, rows));
    });
}

function addShow(key: Command, terminal: Terminal): void {
  addAdminFlags(key.command("show").argument("<key-id>").description("Show what is known of a key.")).action(
    async (id: string, flags: AdminFlags) => {
      const found = await readAdminStore(flags, terminal, async (deps) =>
        present(await getKey(deps, id), deps.clock.now()),
      );
      if (flags.json) terminal.out(formatJson(found));
      else {
        const facts = {
          ...found,
          identity: found.identity.name,
          team: found.team.name,
          scopes: found.scopes.join(" "),
          networks: found.networks?.join(" ") ?? null,
        };
        const rows = Object.entries(facts).map(([name, value]) => [name, value ?? "-"]);
        terminal.out(formatTable(["FIELD", "VALUE"], rows));
      }
    },
  );
}

function addRotate(key: Command, terminal: Terminal): void {
  addAdminFlags(
    key.command("rotate").argument("<key-id>").description("Mint the successor of a key and give the old one an end."),
  )
    .option("--overlap <duration>", "How long the old key goes on working.", "24h")
    .option("--expires <when>", "When the new key expires; without it, it lives as long as the old one was meant to.")
    .option(
      "--from <network>",
      `A network that the new key works from, in place of those of the old one${NETWORKS}`,
      appendValue,
    )
    .action(async (id: string, flags: RotateFlags) => {
      checkStandardOutput(terminal);
      const overlapSeconds = parseSpan(flags.overlap);
      if (overlapSeconds === undefined)
        throw usage("--overlap", flags.overlap, "a duration such as 0s, 30m, 12h or 7d");
      const endAt = parseEnd("--expires", flags.expires);
      const old = await withAdminStore(flags, terminal, async (deps) => {
        const expiresAt = endAt(deps.clock.now()) ?? undefined;
        const before = await getKey(deps, id);
        const minted = await rotateKey(deps, { id, overlapSeconds, expiresAt, networks: flags.from });
        const undo = async () => {
          await undoRotation(deps, minted.key.id, before);
          return `The new key ${minted.key.id} was revoked, and the old key ${id} is as it was before. Run this again where its output can be written.`;
        };
        const otherwise = `The old key ${id} was rotated. ${toRevoke(minted.key.id)}`;
        await showOnce(() => showMinted(minted, flags, terminal), undo, otherwise);
        return getKey(deps, id);
      });
      if (!flags.json) remark(terminal, `The old key ${id} works until ${toIsoTime(old.expiresAt)}.`);
    });
}

function addRevoke(key: Command, terminal: Terminal): void {
  addAdminFlags(key.command("revoke").argument("<key-id>").description("End a key at once.")).action(
    async (id: string, flags: AdminFlags) => {
      const { before, revoked, now } = await withAdminStore(flags, terminal, async (deps) => ({
        before: await getKey(deps, id),
        revoked: await revokeKey(deps, id),
        now: deps.clock.now(),
      }));
      if (flags.json) terminal.out(formatJson(present(revoked, now)));
      else if (before.revokedAt !== null) {
        remark(terminal, `${revoked.id} (${revoked.hint}) is revoked already, since ${toIsoTime(before.revokedAt)}.`);
      } else remark(terminal, `Revoked ${revoked.id} (${revoked.hint}): from the next request on it is refused.`);
    },
  );
}

/** A sentence about what is left to do with a key that nobody has seen. */
function toRevoke(id: string): string {
  return `Nobody has the new key ${id}. Run: handoff admin key revoke ${id}`;
}

function showMinted({ key, token }: MintedKey, flags: AdminFlags, terminal: Terminal): void {
  if (flags.json) {
    terminal.out(formatJson({ ...present(key, key.createdAt), token }));
    return;
  }
  terminal.out(`${token}\n`);
  const expiry = key.expiresAt === null ? "never expires" : `expires at ${toIsoTime(key.expiresAt)}`;
  remark(terminal, `Minted ${key.id} for '${key.identity.name}' in the team '${key.identity.teamName}'; it ${expiry}.`);
  remark(terminal, `It may: ${key.identity.scopes.join(" ")}`);
  if (key.networks !== null) {
    remark(terminal, `It works only from: ${key.networks}`);
    remark(terminal, "Over a Unix socket it works only behind a trusted proxy, which names the address.");
  }
  remark(terminal, "Keep it now: it is shown this once and cannot be read again.");
}

/** Returns a function of now for a key's end, in epoch milliseconds; null for never. Throws CommandError. */
function parseEnd(flag: string, value: string | undefined): (now: number) => number | null {
  if (value === undefined) return () => null;
  const seconds = parseSpan(value);
  const date = seconds === undefined ? parseDate(value) : 0;
  if (Number.isNaN(date)) throw usage(flag, value, "a duration such as 90d, or a date such as 2027-01-31");
  return (now) => {
    const end = seconds === undefined ? date : now + seconds * 1000;
    if (end <= now) throw new CommandError(`${flag} is '${value}': that is over already`, "usage");
    return end;
  };
}

function usage(flag: string, value: string, expected: string): CommandError {
  return new CommandError(`${flag} is '${value}': expected ${expected}`, "usage");
}

/** True for a valid key that ends by `until` and hasn't been replaced. */
function isExpiring({ expiresAt, revokedAt, successorId, identity }: KeyRecord, now: number, until: number): boolean {
  const isOver = revokedAt !== null || successorId !== null || identity.disabledAt !== null;
  return !isOver && expiresAt !== null && expiresAt > now && expiresAt <= until;
}

function stateOf(key: KeyRecord, now: number): string {
  if (key.revokedAt !== null) return "revoked";
  if (key.identity.disabledAt !== null) return "disabled";
  if (key.expiresAt !== null && key.expiresAt <= now) return "expired";
  return key.exposedAt === null ? "live" : "exposed";
}

function toRow(key: KeyRecord, now: number): string[] {
  const { id, hint, identity, name, networks, expiresAt, lastUsedAt } = key;
  const [from = "-", ...others] = networks?.split(" ") ?? [];
  const places = others.length > 0 ? `${from} +${others.length}` : from;
  const [ends, used] = [expiresAt, lastUsedAt].map((at) => toIsoTime(at)?.slice(0, 16).concat("Z") ?? "never");
  return [id, hint, identity.name, identity.teamName, name ?? "-", places, stateOf(key, now), ends ?? "", used ?? ""];
}

function present(key: KeyRecord, now: number) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    state: stateOf(key, now),
    identity: { id: key.identity.id, name: key.identity.name },
    team: { id: key.identity.teamId, name: key.identity.teamName },
    scopes: key.identity.scopes,
    created_at: toIsoTime(key.createdAt),
    expires_at: toIsoTime(key.expiresAt),
    revoked_at: toIsoTime(key.revokedAt),
    last_used_at: toIsoTime(key.lastUsedAt),
    exposed_at: toIsoTime(key.exposedAt),
    successor_id: key.successorId,
    networks: key.networks?.split(" ") ?? null,
  };
}
