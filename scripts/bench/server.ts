import { createLog } from "../../src/cli/server/logs.ts";
import { toServerPolicy } from "../../src/cli/server/policy.ts";
import { startWebhooks } from "../../src/cli/server/webhook-sending.ts";
import { createDelayedLines } from "../../src/cli/terminal/delayed-lines.ts";
import { loadSettings } from "../../src/config/load.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import { createKey } from "../../src/domain/keys.ts";
import { createService } from "../../src/domain/service.ts";
import type { Service } from "../../src/domain/service.ts";
import { startSweeper } from "../../src/domain/sweeper.ts";
import { createTeam } from "../../src/domain/teams.ts";
import { createMonotonicClock, systemClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { createWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { createApp } from "../../src/http/app.ts";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { startServer } from "../../src/http/server.ts";
import { openThreadedStore } from "../../src/store/sqlite/assembly/threaded-store.ts";
import { servePlainRoute } from "./plain-route.ts";
import { isVariant } from "./servers.ts";
import type { ServerReady, Variant } from "./servers.ts";
import { createStoreWithoutSecrets } from "./store-without-secrets.ts";
import { UNLIMITED } from "./unlimited.ts";

const BALLAST_BYTES = 16 * 1024 * 1024;
const SWEEP_INTERVAL_MS = 1000;
const BODY_BYTES = 64 * 1024 * 1024;
const WEBHOOKS = 10;

// `bun server.ts VARIANT FOLDER`: the app as `handoff serve` puts it together, over the store of the variant.
const [variant = "", folder = ""] = process.argv.slice(2);
if (!isVariant(variant) || folder === "") throw new Error("usage: server.ts VARIANT FOLDER");
console.log(JSON.stringify(await start(variant)));

async function start(which: Variant): Promise<ServerReady> {
  if (which === "nothing") return serveNothing();
  if (which === "plain route") return servePlainRoute();
  const service = openService(which, folder);
  return serve(service, which);
}

function openService(which: Variant, dataDir: string): Service {
  const settings = loadSettings(UNLIMITED, {});
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const store =
    which === "no database"
      ? createStoreWithoutSecrets()
      : openThreadedStore({
          clock,
          ids,
          folder: dataDir,
          tombstoneSeconds: settings.tombstones,
          ballastBytes: BALLAST_BYTES,
          maxBatch: which === "one per request" ? 1 : undefined,
          onEnd(error) {
            throw error;
          },
        });
  return createService({ store, clock, ids, random: systemRandom, policy: toServerPolicy(settings) });
}

/** Adds webhooks for all events of a team. */
async function callOut(service: Service, team: string): Promise<void> {
  const url = process.env["BENCH_RECEIVER"] ?? "";
  const input = { team, url, format: "standard", eventTypes: [], allowHttp: false } as const;
  for (let made = 0; made < WEBHOOKS; made += 1) await createWebhook(service, input);
  await startWebhooks(service, createLog("error", console.error)).look();
}

async function serve(service: Service, which: Variant): Promise<ServerReady> {
  startSweeper({ store: service.store, intervalMs: SWEEP_INTERVAL_MS, onError: () => undefined });
  let origin = "http://localhost";
  const app = createApp(service, {
    baseUrl: () => origin,
    trustedProxies: parseTrustedProxies([]),
    bodyMemoryBytes: BODY_BYTES,
    corsOrigins: [],
    log: createLog("info", createDelayedLines(2).add),
    logAddresses: false,
    observer: undefined,
    version: "0.0.0-bench",
    installation: () => undefined,
  });
  const server = await startServer(app, { target: { kind: "tcp", hostname: "127.0.0.1", port: 0 }, tls: undefined });
  origin = server.url;
  const team = await createTeam(service, "bench");
  const key = { team: team.id, identity: "load", scopes: SCOPES, name: null, expiresAt: null };
  const { token } = await createKey(service, key);
  if (which === "with webhooks") await callOut(service, team.id);
  return { port: Number(new URL(origin).port), token };
}

function serveNothing(): ServerReady {
  const { port = 0 } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answerNothing });
  return { port, token: "none" };
}

async function answerNothing(request: Request): Promise<Response> {
  await request.arrayBuffer();
  return new Response("{}", { status: 201 });
}
