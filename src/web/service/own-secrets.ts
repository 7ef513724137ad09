import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import type { ListOptions } from "../../client/pages.ts";
import { getSecret, listSecrets } from "../../client/secrets.ts";
import { MAX_PAGE_SIZE } from "../../contract/limits.ts";
import type { Secret } from "../../contract/secrets.ts";

type ListSecrets = (client: HttpClient, options: ListOptions<never>) => Promise<Secret[]>;

/** More changes than this are read faster with the whole list. */
const MAX_CHANGES = 20;

/**
 * Returns a function that lists the secrets of one person, newest first, and remembers them. A list of several pages is
 * read whole once; later only its first page, the secrets that wait, and those that waited before. Throws ClientError.
 */
export function createSecretReader(): ListSecrets {
  let known: readonly Secret[] = [];
  return async (client, options) => {
    if (options.limit <= MAX_PAGE_SIZE || options.reference !== undefined) return listSecrets(client, options);
    const rows = (await readChanges(client, options, known)) ?? (await listSecrets(client, options));
    known = rows;
    return rows;
  };
}

/** Undefined when it takes the whole list to know. */
async function readChanges(
  client: HttpClient,
  options: ListOptions<never>,
  known: readonly Secret[],
): Promise<Secret[] | undefined> {
  if (known.length === 0) return undefined;
  const newest = await listSecrets(client, { ...options, limit: MAX_PAGE_SIZE });
  if (newest.length < MAX_PAGE_SIZE) return newest;
  const seam = known.findIndex(({ id }) => id === newest.at(-1)?.id);
  if (seam === -1) return undefined;
  const older = known.slice(seam + 1, seam + 1 + options.limit - newest.length);
  if (older.every(({ state }) => state !== "available")) return [...newest, ...older];
  const waiting = await listSecrets(client, { ...options, state: "available" });
  const byId = new Map(waiting.map((secret) => [secret.id, secret]));
  const ended = older.filter(({ id, state }) => state === "available" && !byId.has(id));
  if (ended.length > MAX_CHANGES) return undefined;
  for (const secret of await Promise.all(ended.map(({ id }) => readUnlessGone(client, id)))) {
    if (secret) byId.set(secret.id, secret);
  }
  return [...newest, ...older.flatMap((each) => (each.state === "available" ? (byId.get(each.id) ?? []) : each))];
}

async function readUnlessGone(client: HttpClient, id: string): Promise<Secret | undefined> {
  try {
    return await getSecret(client, id);
  } catch (error) {
    if (error instanceof ClientError && error.code === "not_found") return undefined;
    throw error;
  }
}
