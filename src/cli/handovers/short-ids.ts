import { getCredential } from "../../client/credentials.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { listRequests } from "../../client/requests.ts";
import { listSecrets } from "../../client/secrets.ts";
import { listKeptRequests } from "../state/kept-requests.ts";
import { listLabels } from "../state/labels.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The last characters of an ID, which are enough to find it again. */
const SHORT_ID = /^[0-9a-v]{6}$/;
/** The number of secrets, and of requests, among which the server is asked to look. */
const MOST_LOOKED_AT = 1000;

export function isShortId(text: string): boolean {
  return SHORT_ID.test(text);
}

/**
 * The ID that ends in `short`: of what was asked for or labelled on this machine, or else of the last thousand secrets
 * and requests of this API key's identity. Throws CommandError when there is none, or more than one.
 */
export async function findByShortId(terminal: Terminal, client: HttpClient, short: string): Promise<string> {
  return only(short, kept(terminal, short)) ?? only(short, await stored(client, short)) ?? fail(short);
}

/** The ID of a request that was made on this machine and ends in `short`. Throws CommandError as `findByShortId`. */
export function findKeptByShortId(terminal: Terminal, short: string): string {
  const requests = listKeptRequests(terminal).map(({ id }) => id);
  return (
    only(
      short,
      requests.filter((id) => id.endsWith(short)),
    ) ?? fail(short, "No request that was made on this machine")
  );
}

function kept(terminal: Terminal, short: string): string[] {
  const ids = [...listKeptRequests(terminal).map(({ id }) => id), ...listLabels(terminal).map(([id]) => id)];
  return ids.filter((id) => id.endsWith(short));
}

async function stored(client: HttpClient, short: string): Promise<string[]> {
  const { identity } = await getCredential(client);
  const options = { limit: MOST_LOOKED_AT, createdBy: identity?.id };
  const [secrets, requests] = await Promise.all([listSecrets(client, options), listRequests(client, options)]);
  return [...secrets, ...requests].map(({ id }) => id).filter((id) => id.endsWith(short));
}

function only(short: string, ids: readonly string[]): string | undefined {
  const [first, ...more] = new Set(ids);
  if (more.length > 0) throw usageError(`Several IDs end in '${short}': ${[first, ...more].join(", ")}.`);
  return first;
}

function fail(short: string, what = "Nothing that you sent or asked for"): never {
  throw usageError(`${what} has an ID that ends in '${short}'. Check it, or give the whole ID.`);
}
