import { createConnection, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";

/** Stands between a store and its PostgreSQL. */
export interface PostgresProxy extends AsyncDisposable {
  /** The same database, by way of this. */
  readonly connection: ConnectionOptions;
  /** From now on connections end just before PostgreSQL's answer to a COMMIT is passed on. */
  loseCommits(): void;
  passAll(): void;
  /** The number of times that a client has waited for an answer so far, over all connections. */
  roundTrips(): number;
  /** The number of connections that were made so far. */
  connections(): number;
  /** Ends all connections, and each new one as soon as it is made. */
  refuse(): void;
}

/** Starts a proxy that passes everything on at first. */
export async function startPostgresProxy(connection: ConnectionOptions): Promise<PostgresProxy> {
  const { path, ...rest } = connection;
  let isLosing = false;
  let isRefusing = false;
  let roundTrips = 0;
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    if (isRefusing) {
      client.destroy();
      return;
    }
    const upstream = createConnection(String(path));
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy();
      for (const socket of [client, upstream]) open.delete(socket);
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    let isWaiting = false;
    client.on("data", (bytes) => {
      if (!isWaiting) roundTrips += 1;
      isWaiting = true;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      isWaiting = false;
      // The tag with which PostgreSQL answers it.
      if (isLosing && bytes.includes("COMMIT\0")) end();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    connection: { ...rest, hostname: "127.0.0.1", port },
    loseCommits: () => void (isLosing = true),
    roundTrips: () => roundTrips,
    connections: () => connections,
    passAll: () => void (isLosing = isRefusing = false),
    refuse() {
      isRefusing = true;
      for (const socket of open) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
