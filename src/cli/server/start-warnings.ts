import { unknownVariables } from "../../config/load.ts";
import type { Settings } from "../../config/settings.ts";
import { toIsoTime } from "../../contract/times.ts";
import { findClockDoubt } from "../../domain/values/clocks.ts";
import type { ListenTarget } from "../../http/server.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ServerLog } from "./logs.ts";
import { availableMemory, bodyMemoryBytes, isMemoryShort } from "./memory.ts";
import { findMissingTeams } from "./named-teams.ts";

/** Explains a clock that is probably wrong, by its relation to the latest time in the database. */
const CLOCK_DOUBTS = {
  behind:
    "this machine's clock is behind the latest time in the database: it went back, or an earlier start had a wrong one. Time goes on from the database's, and every new date counts from there. Check the clock. If the time in the database is wrong, restore a backup from before",
  ahead:
    "this machine's clock is more than a year ahead of the latest time in the database. If the clock is right, nothing is wrong. If not, stop the server, set the clock and restore a backup: what ends by this time is ended, and the database keeps the time",
};

/** The addresses of a server; `metricsTarget` is undefined when it serves no metrics. */
interface Targets {
  readonly target: ListenTarget;
  readonly metricsTarget: ListenTarget | undefined;
}

/** Warns when root starts a server. Nothing that it needs, including port and data folder, requires root. */
export function warnOfRoot(log: ServerLog): void {
  if (process.getuid?.() === 0) log.warn({}, "running as root, which is not needed: use an account of its own");
}

/** Warns about each part of `settings` and environment that a server can start with but that is probably a mistake. */
export function warnAtStart(settings: Settings, targets: Targets, terminal: Terminal, log: ServerLog): void {
  const { target, metricsTarget } = targets;
  for (const { name, nearest } of unknownVariables(terminal.env)) {
    log.warn({ variable: name, nearest }, "unknown variable: no setting has this name");
  }
  if (target.kind === "tcp" && !isLoopback(target.hostname) && !settings.tlsCert && !settings.baseUrl) {
    log.warn(
      { listen: settings.listen },
      "other machines can reach this server without TLS, and anyone between them and it can change the page: give --tls-cert and --tls-key, or listen on 127.0.0.1 behind a proxy that speaks TLS, and say with --base-url what links begin with",
    );
  }
  if (target.kind === "unix" && settings.baseUrl === undefined) {
    log.warn(
      { listen: settings.listen },
      "links begin with http://localhost, because a socket has no address: say with --base-url what they begin with",
    );
  }
  if (metricsTarget?.kind === "tcp" && !isLoopback(metricsTarget.hostname)) {
    log.warn(
      { metrics_listen: settings.metricsListen },
      "other machines can reach the metrics, which ask for no credential: let only the one that collects them through, or listen on 127.0.0.1",
    );
  }
  if (isMemoryShort(settings)) {
    log.warn(
      { memory_bytes: availableMemory(), body_memory_bytes: bodyMemoryBytes(settings) },
      "large secrets can take more memory than this machine or container has, and the system would end the server: give it more memory, or lower --max-ciphertext or --body-memory",
    );
  }
  for (const range of settings.trustedProxy.filter(coversEverybody)) {
    log.warn(
      { trusted_proxy: range },
      "this range of --trusted-proxy covers everybody, so any caller can name any address in X-Forwarded-For, and limits by address stop nobody: name your proxy's address alone",
    );
  }
}

/**
 * Warns about each team of settings that isn't there. Resolves also when the teams can't be read: a storage that fails
 * is logged where that is found.
 */
export async function warnOfTeams(
  store: { listTeams(): Promise<readonly { readonly id: string; readonly name: string }[]> },
  settings: Pick<Settings, "oidcTeam" | "signInDomain">,
  log: Pick<ServerLog, "warn">,
): Promise<void> {
  if (settings.oidcTeam === undefined && settings.signInDomain.length === 0) return;
  const teams = await store.listTeams().catch(() => undefined);
  for (const { setting, team } of teams ? findMissingTeams(settings, teams) : []) {
    log.warn({ setting, team }, "no team has this name or id, so new people can't sign in by this setting");
  }
}

/** True when the CIDR range has every address of its family. */
function coversEverybody(range: string): boolean {
  return /\/0+$/.test(range);
}

/** True when only this machine can reach `hostname` (RFC 6890, RFC 6761). */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Logs when the machine's clock or the database's latest time (0 for none) is probably wrong. */
export function warnOfClock(
  nowMs: number,
  latestMs: number,
  log: { warn(times: { readonly clock: string; readonly database: string }, message: string): void },
): void {
  const doubt = findClockDoubt(nowMs, latestMs);
  if (doubt === undefined) return;
  log.warn({ clock: toIsoTime(nowMs), database: toIsoTime(latestMs) }, CLOCK_DOUBTS[doubt]);
}
