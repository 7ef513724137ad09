import { expect, test } from "bun:test";
import { Secret } from "../../../src/contract/secrets.ts";
import { createSecretReader } from "../../../src/web/service/own-secrets.ts";
import { createTestClient, exampleOf, refuse } from "../../support/clients.ts";

const OPTIONS = { limit: 2000, createdBy: "idn_ann" };

/** A server with these secrets, the newest first, and the calls that it has answered. */
function serverWith(count: number) {
  let made = 0;
  const idOf = (number: number) => `sec_${String(number).padStart(26, "0")}`;
  const secrets: Secret[] = [];
  const send = (changes: Partial<Secret> = {}) =>
    void secrets.unshift(exampleOf(Secret, { id: idOf(++made), state: "claimed", ...changes }));
  for (let number = 0; number < count; number++) send();
  const client = createTestClient({
    listSecrets({ query = {} }) {
      const { limit = 0, cursor, state } = query as { limit?: number; cursor?: string; state?: string };
      const all = secrets.filter((each) => state === undefined || each.state === state);
      const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
      const data = all.slice(from, from + limit);
      return { data, next_cursor: from + limit < all.length ? data.at(-1)?.id : null };
    },
    getSecret: ({ id }) => secrets.find((each) => each.id === id) ?? refuse("not_found"),
  });
  /** The calls since this was asked last. */
  let seen = 0;
  const newCalls = () => {
    const calls = client.calls.slice(seen).map(({ operation }) => operation);
    seen = client.calls.length;
    return calls;
  };
  const change = (index: number, changes: Partial<Secret>) =>
    void secrets.splice(index, 1, { ...secrets[index], ...changes } as Secret);
  return { secrets, send, change, client, newCalls };
}

test("a long list is read whole once, and then only what may have changed", async () => {
  const { secrets, send, change, client, newCalls } = serverWith(350);
  change(200, { state: "available" });
  change(300, { state: "available" });
  const read = createSecretReader();
  expect(await read(client, OPTIONS)).toEqual(secrets);
  expect(newCalls()).toHaveLength(4);
  send({ state: "available" });
  change(201, { state: "claimed" });
  change(301, { claims: 1 });
  expect(await read(client, OPTIONS)).toEqual(secrets);
  expect(newCalls()).toEqual(["listSecrets", "listSecrets", "getSecret"]);
  // Nothing older waits.
  change(301, { state: "expired" });
  await read(client, OPTIONS);
  newCalls();
  expect(await read(client, OPTIONS)).toEqual(secrets);
  expect(newCalls()).toEqual(["listSecrets"]);
});

test("what is gone from the server goes from the list, once it no longer waits", async () => {
  const { secrets, change, client } = serverWith(150);
  change(120, { state: "available" });
  const read = createSecretReader();
  await read(client, OPTIONS);
  secrets.splice(120, 1);
  expect(await read(client, OPTIONS)).toEqual(secrets);
});

test("more changes than are worth single calls lead to a whole reading", async () => {
  const { secrets, send, change, client, newCalls } = serverWith(350);
  for (let index = 110; index < 140; index++) change(index, { state: "available" });
  const read = createSecretReader();
  await read(client, OPTIONS);
  for (let index = 110; index < 140; index++) change(index, { state: "revoked" });
  newCalls();
  expect(await read(client, OPTIONS)).toEqual(secrets);
  expect(newCalls()).not.toContain("getSecret");
  for (let number = 0; number < 101; number++) send();
  expect(await read(client, OPTIONS)).toEqual(secrets);
});

test("the limit counts, and short lists and those of a ticket are read as they are", async () => {
  const { secrets, send, client } = serverWith(350);
  const read = createSecretReader();
  await read(client, { ...OPTIONS, limit: 300 });
  send();
  expect(await read(client, { ...OPTIONS, limit: 300 })).toEqual(secrets.slice(0, 300));
  expect(await read(client, { ...OPTIONS, limit: 50 })).toEqual(secrets.slice(0, 50));
  await read(client, { ...OPTIONS, reference: "OPS-1" });
  expect(client.calls.at(-1)?.query).toMatchObject({ reference: "OPS-1" });
});
