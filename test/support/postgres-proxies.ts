import { createConnection, createServer } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { temporaryFolder } from "./temporary.ts";

/** Stands between a store and its PostgreSQL. */
export interface PostgresProxy extends AsyncDisposable {
  /** The same database, by way of this. */
  readonly connection: ConnectionOptions;
  /** From now on connections end in the moment in which PostgreSQL answers a COMMIT, and its answer with them. */
  loseCommits(): void;
  passAll(): void;
}

/** Starts a proxy that passes everything on at first. */
export async function startPostgresProxy(connection: ConnectionOptions): Promise<PostgresProxy> {
  const folder = temporaryFolder();
  const path = join(folder.path, "proxy");
  let isLosing = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(String(connection.path));
    let hasCommitted = false;
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy();
      for (const socket of [client, upstream]) open.delete(socket);
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (bytes) => {
      hasCommitted ||= isLosing && bytes.includes("COMMIT");
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      // The tag with which PostgreSQL answers it.
      if (hasCommitted && bytes.includes("COMMIT\0")) end();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    connection: { ...connection, path },
    loseCommits: () => void (isLosing = true),
    passAll: () => void (isLosing = false),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      folder[Symbol.dispose]();
    },
  };
}
