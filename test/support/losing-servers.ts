import { detailOf } from "../../src/contract/errors.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { startPostgresProxy } from "./postgres-proxies.ts";
import { openPostgresStorage } from "./postgres-storage.ts";
import { startTestServer } from "./server.ts";
import type { TestServer } from "./server.ts";
import type { SharedPostgres } from "./shared-postgres.ts";

/** The answer of a server whose database is away. */
const AWAY = { code: "storage_unavailable", status: 503, detail: detailOf("storage_unavailable") };

/** A server whose PostgreSQL can be lost at the moment of a COMMIT. */
export interface LosingServer extends AsyncDisposable {
  /** Where it is called. Answers that ask for a pause ask for none. */
  readonly url: string;
  readonly server: TestServer;
  /** The next write is committed without an answer; then the database is away. */
  lose(): void;
  /** Resolves once all is well again. */
  mend(): Promise<void>;
}

/** Starts a server over a database of its own in `cluster`. */
export async function startLosingServer(cluster: SharedPostgres): Promise<LosingServer> {
  const proxy = await startPostgresProxy(await cluster.makeDatabase());
  const kept = await openPostgresStorage(cluster.socket);
  const open: typeof kept.open = (sources) => openPostgresStore({ ...sources, connection: proxy.connection });
  let url = "";
  let isAway = false;
  const server = await startTestServer({ storage: { ...kept, open }, http: { baseUrl: () => url } });
  const front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (isAway) return Response.json(AWAY, { status: AWAY.status, headers: { "retry-after": "0" } });
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(server.url + pathname + search, {
        method: request.method,
        headers: request.headers,
        body: request.method === "GET" ? null : await request.arrayBuffer(),
      });
      const headers = new Headers(answer.headers);
      if (headers.has("retry-after")) headers.set("retry-after", "0");
      const text = await answer.text();
      isAway = text.includes('"outcome":"unknown"');
      return new Response(text, { status: answer.status, headers });
    },
  });
  url = front.url.origin;
  return {
    url,
    server,
    lose: () => proxy.loseCommits(),
    async mend() {
      proxy.passAll();
      isAway = false;
      while ((await server.backend.service.store.findTroubles()).length > 0);
    },
    async [Symbol.asyncDispose]() {
      await front.stop(true);
      await server[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}
