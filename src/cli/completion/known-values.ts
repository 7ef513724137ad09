import { loadSettings } from "../../config/load.ts";
import { readAdminStore } from "../server/admin-store.ts";
import { findPlace, PLACE_SETTINGS } from "../server/storages/places.ts";
import type { AdminCommandDeps } from "../server/storages/storage.ts";
import { findServiceEnvironment } from "../server/systemd/service-environments.ts";
import { isKnownToHaveEnded, listKeptRequests } from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { listLabels } from "../state/labels.ts";
import { toLine } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { KnownValue } from "./completions.ts";

/** A value with a description of it. */
type Value = readonly [word: string, description: string];

/**
 * Lists values in this machine's database or state, or topics of the manual, without calling a server; none when they
 * can't be read.
 */
export async function listKnownValues(terminal: Terminal, kind: KnownValue): Promise<readonly Value[]> {
  const silent: Terminal = { ...terminal, say: () => undefined, ask: async () => undefined };
  try {
    if (kind === "topics")
      return (await import("../../manual/topics.ts")).TOPICS.map((each) => [each.name, each.summary]);
    const values = await (isLocal(kind) ? listLocal(silent, kind) : listStored(silent, kind));
    return values.map(([word, description]) => [word, toLine(description)]);
  } catch {
    // A person who presses Tab hasn't asked for an error.
    return [];
  }
}

type LocalKind = "requests" | "handovers";
type StoredKind = Exclude<KnownValue, LocalKind | "topics">;

function isLocal(kind: LocalKind | StoredKind): kind is LocalKind {
  return kind === "requests" || kind === "handovers";
}

function listLocal(terminal: Terminal, kind: LocalKind): readonly Value[] {
  const isOpen = (request: KeptRequest) => !isKnownToHaveEnded(terminal, request);
  const requests = listKeptRequests(terminal)
    .filter(isOpen)
    .map(({ id, note }) => [id, note ?? ""] as const);
  return kind === "requests" ? requests : [...new Map([...requests, ...listLabels(terminal)])];
}

const LISTS: Readonly<Record<StoredKind, (store: AdminCommandDeps["store"]) => Promise<readonly Value[]>>> = {
  teams: async (store) => (await store.listTeams()).map(byName),
  identities: async (store) => namesOf(await store.listIdentities(undefined), "automation"),
  people: async (store) => namesOf(await store.listIdentities(undefined), "person"),
  keys: async (store) =>
    (await store.listKeys(undefined)).map(({ id, hint, identity }) => [id, `${identity.name} ${hint}`]),
  webhooks: async (store) => (await store.listWebhooks(undefined)).map(({ id, teamName }) => [id, teamName]),
};

function namesOf(identities: readonly (Named & { readonly kind: string })[], kind: "automation" | "person"): Value[] {
  return identities.filter((each) => each.kind === kind).map(byName);
}

interface Named {
  readonly name: string;
  readonly id: string;
}

/** The name, or the ID where a shell would need quotes for the name. */
function byName({ name, id }: Named): Value {
  return /^[\w.@-]+$/.test(name) ? [name, id] : [id, name];
}

/** The values in the database of a data folder. PostgreSQL isn't asked, as the shell would hang while it is down. */
async function listStored(terminal: Terminal, kind: StoredKind): Promise<readonly Value[]> {
  const { env } = await findServiceEnvironment({}, terminal.env);
  const place = findPlace(loadSettings({}, env, PLACE_SETTINGS), env);
  if (place.kind !== "folder") return [];
  return readAdminStore({}, { ...terminal, env }, ({ store }) => LISTS[kind](store));
}
