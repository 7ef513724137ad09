import type { Secret } from "../contract/secrets.ts";
import type { HttpClient } from "./http-client.ts";
import { parseSecret } from "./shapes.ts";
import { waitFor } from "./waits.ts";
import type { Wait } from "./waits.ts";

// Apart from the other calls: what opens a link at the page needs no waits.

/** Waits until a secret has ended, or the time is over, and returns its metadata. See `waitFor`. Throws ClientError. */
export function waitForEnd(client: HttpClient, id: string, wait: Wait): Promise<Secret> {
  const look = async (step: number, until: AbortSignal) =>
    parseSecret(await client.call("getSecret", { id, ...(step > 0 ? { waitSeconds: step } : {}), until }), id);
  return waitFor(look, ({ state }) => state !== "available", wait);
}
