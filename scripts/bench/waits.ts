import { startExecutable } from "./executables.ts";
import type { ExecutableServer } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { cpuSeconds, residentBytes } from "./processes.ts";
import { aim, count } from "./tables.ts";
import type { Row } from "./tables.ts";

const WAITS = 10_000;
/** The most that a credential may have at once. */
const WAITS_PER_LINK = 20;
const AIM_BYTES = 4096;
/** The first requests of a kind have extra costs that aren't measured. */
const WARM_UP_LINKS = 10;
const LOOK_MS = 500;
const IDLE_SHARE = 0.05;
/** An idle process returns unused memory after a while. */
const REST_MS = 4000;

/** A secret, and the token of its link. */
interface Link {
  readonly id: string;
  readonly token: string;
}

/** Measures the compiled executable's memory for each waiting call, including its connection. */
export async function measureWaits(ciphertext: string): Promise<Row> {
  using folder = benchFolder();
  await using server = await startExecutable(folder.path);
  const links = await createLinks(server, ciphertext, WARM_UP_LINKS + WAITS / WAITS_PER_LINK);
  await waitAll(server, links.slice(0, WARM_UP_LINKS));
  const before = residentBytes(server.pid).now;
  await waitAll(server, links.slice(WARM_UP_LINKS));
  const each = (residentBytes(server.pid).now - before) / WAITS;
  return {
    measure: `memory of a call that waits, of ${count(WAITS)} at once`,
    value: `${count(each)} bytes`,
    baseline: "",
    ratio: "",
    aim: aim("≤ 4 KiB", each <= AIM_BYTES),
  };
}

async function createLinks({ port, token }: ExecutableServer, ciphertext: string, links: number): Promise<Link[]> {
  const body = JSON.stringify({ envelope: { version: 1, ciphertext } });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const created: Link[] = [];
  while (created.length < links) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/secrets`, { method: "POST", headers, body });
    const { id, claim_token: claimToken } = (await answer.json()) as { id: string; claim_token: string };
    created.push({ id, token: claimToken });
  }
  return created;
}

/** Starts as many waiting calls as allowed for each of `links`, and resolves once the server is idle. */
async function waitAll({ port, pid }: ExecutableServer, links: readonly Link[]): Promise<void> {
  for (const { id, token } of links) {
    await Promise.all(Array.from({ length: WAITS_PER_LINK }, () => wait(port, id, token)));
  }
  for (let before = cpuSeconds(pid); ; before = cpuSeconds(pid)) {
    await Bun.sleep(LOOK_MS);
    if (cpuSeconds(pid) - before < (IDLE_SHARE * LOOK_MS) / 1000) break;
  }
  await Bun.sleep(REST_MS);
}

/** Sends a waiting call, and resolves once it is sent. It is answered after the measurement. */
async function wait(port: number, id: string, token: string): Promise<void> {
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, chunk) {
        throw new Error(`a call that was to wait was answered: ${chunk.toString().slice(0, 100)}`);
      },
    },
  });
  const call = `GET /api/v1/secrets/${id}?wait=60 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  if (socket.write(call) !== call.length) throw new Error("a request did not fit into the socket's buffer");
}
