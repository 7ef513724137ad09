import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

/** When a connection is cut: after so many bytes to the server, or instead of its next answer after those. */
interface Cut {
  readonly afterUp?: number;
  readonly answerAfterUp?: number;
  readonly afterDown?: number;
}

/** A proxy that loses connections. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Loses the open connections, and then each of the next ones in its way. */
  lose(...cuts: readonly Cut[]): void;
  /** While it is away, it has no connections. */
  setAway(isAway: boolean): void;
  /** How many connections were cut or refused. */
  readonly lost: () => number;
}

/** Starts a proxy in front of the server at `url`, on loopback. */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const cuts: Cut[] = [];
  let isAway = false;
  let lost = 0;
  const dropAll = () => {
    for (const each of sockets) each.destroy();
  };
  const server = createServer((client) => {
    if (isAway) {
      lost += 1;
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    const cut = cuts.shift() ?? {};
    let [up, down] = [0, 0];
    let isCut = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    const lose = () => {
      if (!isCut) lost += 1;
      isCut = true;
      end();
    };
    client.on("data", (bytes) => {
      up += bytes.length;
      if (up > (cut.afterUp ?? Infinity)) return lose();
      if (!upstream.write(bytes)) client.pause();
    });
    upstream.on("drain", () => client.resume());
    upstream.on("data", (bytes) => {
      down += bytes.length;
      if (up > (cut.answerAfterUp ?? Infinity) || down > (cut.afterDown ?? Infinity)) return lose();
      if (!client.write(bytes)) upstream.pause();
    });
    client.on("drain", () => upstream.resume());
    for (const each of [client, upstream]) {
      sockets.add(each);
      each.on("close", () => {
        sockets.delete(each);
        end();
      });
      each.on("error", end);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens nowhere");
  return {
    url: `http://127.0.0.1:${address.port}`,
    lose(...next) {
      cuts.push(...next);
      dropAll();
    },
    setAway(next) {
      isAway = next;
      if (isAway) dropAll();
    },
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      dropAll();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
