import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import { EVENT_TYPES, REQUEST_STATES, SECRET_STATES } from "../../contract/states.ts";
import type { TeamRecord } from "../../domain/ports/identities.ts";
import type { StateCount } from "../../domain/ports/statistics.ts";
import type { Store } from "../../domain/ports/store.ts";
import { createGauge, createGauges } from "./gauges.ts";
import type { Values } from "./gauges.ts";
import { createStateCounts } from "./state-counts.ts";

/**
 * Registers the metrics of teams: what they have, and their events. Labels have the names of teams, and no other name
 * or id. Returns a function that updates all of them and never rejects.
 */
export function createTeamMetrics(registry: Registry, store: Store, teamQuotaBytes: number): () => Promise<void> {
  const gauges = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    createGauges(registry, `handoff_${name}`, help, labels);
  const secrets = gauges("secrets", "Secrets by team and state; ended ones until they are erased.", ["team", "state"]);
  const requests = gauges("requests", "Request links by team and state; ended ones until they are erased.", [
    "team",
    "state",
  ]);
  const counted = createGauge(
    registry,
    "handoff_states_counted_timestamp_seconds",
    "When secrets and requests were counted last.",
  );
  const stored = gauges("team_stored_bytes", "What a team takes up, as it counts against its quota.", ["team"]);
  const quotas = gauges("team_quota_bytes", "What a team may take up.", ["team"]);
  const keyEnds = gauges(
    "api_key_next_end_timestamp_seconds",
    "When the next API key of a team ends that has no successor.",
    ["team"],
  );
  const countEvents = createEventCounts(registry, store);
  const readCounts = createStateCounts(store);

  return async () => {
    const [teams, ends, states] = await Promise.all([
      store.listTeams().catch((): TeamRecord[] => []),
      store.findKeyEnds().catch(() => []),
      readCounts(),
    ]);
    const names = new Map(teams.map(({ id, name }) => [id, name]));
    secrets(states ? valuesOf("secret", states.counts, names) : []);
    requests(states ? valuesOf("request", states.counts, names) : []);
    counted(states && states.countedAt / 1000);
    stored(teams.map(({ name, storedBytes }) => [{ team: name }, storedBytes]));
    quotas(teams.map(({ name, quotaBytes }) => [{ team: name }, quotaBytes ?? teamQuotaBytes]));
    keyEnds(
      ends.flatMap(({ teamId, expiresAt }): Values<"team"> => {
        const team = names.get(teamId);
        return team === undefined ? [] : [[{ team }, expiresAt / 1000]];
      }),
    );
    countEvents(names);
  };
}

/** The counts of each team in each state, 0 included: a line that ends would look like a failure. */
function valuesOf(
  kind: StateCount["kind"],
  counts: readonly StateCount[],
  names: ReadonlyMap<string, string>,
): Values<"team" | "state"> {
  const known = new Map(
    counts.filter((each) => each.kind === kind).map(({ teamId, state, count }) => [`${teamId} ${state}`, count]),
  );
  const states = kind === "secret" ? SECRET_STATES : REQUEST_STATES;
  return [...names].flatMap(([id, team]) =>
    states.map((state): Values<"team" | "state">[number] => [{ team, state }, known.get(`${id} ${state}`) ?? 0]),
  );
}

/**
 * Counts the events that the store announces. Returns a function that turns them into a metric, given the names of
 * teams by id.
 */
function createEventCounts(registry: Registry, store: Store): (names: ReadonlyMap<string, string>) => void {
  const events = new Counter({
    name: "handoff_events_total",
    help: "Events since this server was started, by team and type, such as secret.created, secret.claimed, secret.expired, secret.revoked.",
    labelNames: ["team", "type"],
    registers: [registry],
  });
  const counts = new Map<string, Map<string, number>>();
  store.subscribe(({ teamId, type }) => {
    let ofTeam = counts.get(teamId);
    if (!ofTeam) counts.set(teamId, (ofTeam = new Map()));
    ofTeam.set(type, (ofTeam.get(type) ?? 0) + 1);
  });
  return (names) => {
    events.reset();
    for (const [id, team] of names) {
      for (const type of EVENT_TYPES) events.inc({ team, type }, counts.get(id)?.get(type) ?? 0);
    }
  };
}
