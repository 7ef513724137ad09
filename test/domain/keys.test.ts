import { expect, test } from "bun:test";
import { AdminError } from "../../src/domain/administration.ts";
import { authenticate } from "../../src/domain/callers.ts";
import { disableIdentity } from "../../src/domain/identities.ts";
import { createKey, getKey, revokeKey, rotateKey } from "../../src/domain/keys.ts";
import type { MintedKey } from "../../src/domain/keys.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../src/domain/teams.ts";
import { isInNetworks } from "../../src/domain/values/networks.ts";
import { openAdminStorage } from "../support/open-storage.ts";
import { refusalOf } from "../support/secrets.ts";
import { openTestService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";

const MINUTE = 60_000;

/** The code with which `token` is refused; undefined when it isn't. */
const refusalOfToken = (backend: TestService, token: string) =>
  refusalOf(authenticate(backend.service, token, undefined));

/** The message of the AdminError that `promise` rejects with. */
async function complaintOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AdminError) return error.message;
    throw error;
  }
  return "it was done";
}

test("a key is valid until the instant of its expiry", async () => {
  await using backend = await openTestService();
  const { token } = await backend.mint({ expiresAt: backend.clock.now() + MINUTE });
  backend.clock.advance(MINUTE - 1);
  expect(await refusalOfToken(backend, token)).toBeUndefined();
  backend.clock.advance(1);
  expect(await refusalOfToken(backend, token)).toBe("credential_expired");
  backend.clock.advance(-MINUTE);
  expect(await refusalOfToken(backend, token)).toBe("credential_expired");
});

test("a revoked key is refused at once, and revoking it again changes nothing", async () => {
  await using backend = await openTestService();
  const { key, token } = await backend.mint();
  expect(await refusalOfToken(backend, token)).toBeUndefined();
  const revoked = await revokeKey(backend.service, key.id);
  expect(await refusalOfToken(backend, token)).toBe("credential_invalid");
  backend.clock.advance(MINUTE);
  expect((await revokeKey(backend.service, key.id)).revokedAt).toBe(revoked.revokedAt);
});

test("another process's change of a key applies to the next call", async () => {
  await using backend = await openTestService();
  const now = backend.clock.now();
  const changes = [
    `UPDATE api_keys SET revoked_at = ${now}`,
    `UPDATE api_keys SET expires_at = ${now}`,
    `UPDATE identities SET disabled_at = ${now}`,
  ];
  const back = ["UPDATE api_keys SET revoked_at = NULL, expires_at = NULL", "UPDATE identities SET disabled_at = NULL"];
  const { token } = await backend.mint();
  for (const change of changes) {
    expect(await refusalOfToken(backend, token)).toBeUndefined();
    await backend.storage.run(change);
    expect({ change, refusal: await refusalOfToken(backend, token) }).toEqual({
      change,
      refusal: expect.stringMatching(/^credential_(invalid|expired)$/),
    });
    for (const each of back) await backend.storage.run(each);
  }
});

test("after a rotation both keys are valid until the overlap ends", async () => {
  await using backend = await openTestService();
  const old = await backend.mint();
  const fresh = await rotateKey(backend.service, { id: old.key.id, overlapSeconds: 60, expiresAt: undefined });
  expect(fresh.key.identity).toEqual(old.key.identity);
  expect(await Promise.all([old, fresh].map(({ token }) => refusalOfToken(backend, token)))).toEqual([
    undefined,
    undefined,
  ]);
  backend.clock.advance(MINUTE);
  expect(await refusalOfToken(backend, old.token)).toBe("credential_expired");
  expect(await refusalOfToken(backend, fresh.token)).toBeUndefined();
  const again = rotateKey(backend.service, { id: old.key.id, overlapSeconds: 60, expiresAt: undefined });
  expect(await complaintOf(again)).toContain(`its successor is '${fresh.key.id}'`);
});

test("after a rotation the new key lives as long as the old one was meant to", async () => {
  await using backend = await openTestService();
  const forever = await backend.mint();
  const [start, year] = [backend.clock.now(), 365 * 24 * 60 * MINUTE];
  const old = await backend.mint({ expiresAt: start + 90 * MINUTE });
  backend.clock.advance(60 * MINUTE);
  const rotate = (id: string, expiresAt?: number) =>
    rotateKey(backend.service, { id, overlapSeconds: 60, expiresAt }).then(({ key }) => key.expiresAt);
  expect(await rotate(old.key.id)).toBe(start + 150 * MINUTE);
  expect(await rotate(forever.key.id)).toBeNull();
  const another = await backend.mint();
  expect(await rotate(another.key.id, start + year)).toBe(start + year);
  expect(
    await complaintOf(
      rotateKey(backend.service, {
        id: (await backend.mint()).key.id,
        overlapSeconds: 0,
        expiresAt: start + 200 * year,
      }),
    ),
  ).toContain("hundred years");
});

test("concurrent rotations create one successor, and the errors name it", async () => {
  await using backend = await openTestService();
  const old = await backend.mint();
  const rotate = (id = old.key.id) => rotateKey(backend.service, { id, overlapSeconds: 60, expiresAt: undefined });
  const results = await Promise.allSettled([rotate(), rotate(), rotate()]);
  const [fresh, ...others] = results.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(others).toEqual([]);
  const complaint = `was rotated already: its successor is '${fresh?.key.id}'`;
  for (const each of results) if (each.status === "rejected") expect(String(each.reason)).toContain(complaint);
  expect(await backend.service.store.listKeys(undefined)).toHaveLength(2);
  // Also after the overlap, whose end is the old key's expiry alone.
  backend.clock.advance(MINUTE);
  expect(await complaintOf(rotate())).toContain(complaint);
  expect(fresh?.key.expiresAt).toBeNull();
  const next = await rotate(fresh?.key.id);
  expect(next.key.expiresAt).toBeNull();
  await revokeKey(backend.service, next.key.id);
  expect(await complaintOf(rotate(next.key.id))).toContain("has ended");
});

test("a rotation never makes the old key live longer", async () => {
  await using backend = await openTestService();
  const old = await backend.mint({ expiresAt: backend.clock.now() + MINUTE });
  await rotateKey(backend.service, { id: old.key.id, overlapSeconds: 3600, expiresAt: undefined });
  backend.clock.advance(MINUTE);
  expect(await refusalOfToken(backend, old.token)).toBe("credential_expired");
});

test("a disabled identity has no valid keys and gets no new one", async () => {
  await using backend = await openTestService({}, await openAdminStorage());
  const { key, token } = await backend.mint();
  const mint = () =>
    createKey(backend.service, { team: "team", identity: key.identity.name, scopes: [], name: null, expiresAt: null });
  const second = await mint();
  await disableIdentity(backend.service, { nameOrId: key.identity.name, team: "team" });
  for (const each of [token, second.token]) expect(await refusalOfToken(backend, each)).toBe("credential_invalid");
  expect(await complaintOf(mint())).toContain("is disabled");
  expect(
    await complaintOf(rotateKey(backend.service, { id: key.id, overlapSeconds: 0, expiresAt: undefined })),
  ).toContain("is disabled");
});

test("every invalid command has an error in one sentence", async () => {
  await using backend = await openTestService({}, await openAdminStorage());
  const { key } = await backend.mint();
  const { service } = backend;
  const mint = (team: string, identity: string, scopes: Parameters<typeof createKey>[1]["scopes"]) =>
    createKey(service, { team, identity, scopes, name: null, expiresAt: null });
  expect(await complaintOf(createTeam(service, "team"))).toContain("already a team 'team'");
  expect(await complaintOf(createTeam(service, "../x"))).toContain("not a name for a team");
  expect(await complaintOf(mint("nobody", "ci", ["secrets:read"]))).toContain("no team 'nobody'");
  expect(await complaintOf(mint("team", "new", []))).toContain("say with --scope");
  expect(await complaintOf(mint("team", key.identity.name, ["secrets:read"]))).toContain("all its keys have these");
  expect(await complaintOf(revokeKey(service, "key_none"))).toContain("no key 'key_none'");
  expect(await complaintOf(disableIdentity(service, { nameOrId: "nobody", team: undefined }))).toContain(
    "no identity 'nobody'",
  );
  await backend.mint({ team: "other" });
  await createKey(service, { team: "other", identity: "same", scopes: ["secrets:read"], name: null, expiresAt: null });
  await createKey(service, { team: "team", identity: "same", scopes: ["secrets:read"], name: null, expiresAt: null });
  expect(await complaintOf(disableIdentity(service, { nameOrId: "same", team: undefined }))).toContain(
    "say which with --team",
  );
});

test("a key's networks are kept as CIDR, and its successor has them too unless it gets others", async () => {
  await using backend = await openTestService();
  const networks = ["10.0.0.0/8", "192.0.2.1", "2001:DB8:0::/32", "::ffff:192.0.2.1", "::1"];
  const old = await backend.mint({ networks });
  expect(old.key.networks).toBe("10.0.0.0/8 192.0.2.1/32 2001:db8::/32 ::1/128");
  const rotate = ({ key: { id } }: MintedKey, changed?: readonly string[]) =>
    rotateKey(backend.service, { id, overlapSeconds: 60, expiresAt: undefined, networks: changed });
  const same = await rotate(old);
  expect((await getKey(backend.service, same.key.id)).networks).toBe(old.key.networks);
  const moved = await rotate(same, ["172.16.0.0/12"]);
  expect((await getKey(backend.service, moved.key.id)).networks).toBe("172.16.0.0/12");
  expect((await getKey(backend.service, old.key.id)).networks).toBe(old.key.networks);
  const everywhere = await backend.mint();
  expect(everywhere.key.networks).toBeNull();
  expect((await rotate(everywhere)).key.networks).toBeNull();
});

test("what is no network, isn't written as one, or is one too many is refused", async () => {
  await using backend = await openTestService({}, await openAdminStorage());
  const old = await backend.mint();
  const range = "is no IP address or CIDR range such as 10.0.0.0/8";
  for (const [network, complaint] of [
    ["", range],
    ["everywhere", range],
    ["10.0.0.0/33", range],
    ["10.0.0.0/8 10.0.0.0/8", range],
    ["unix", range],
    ["10.1.2.3/8", "'10.1.2.3/8' doesn't begin with the network's first address"],
    ["2001:db8::1/32", "or 2001:db8::1 for a single address"],
  ] as const) {
    expect(await complaintOf(backend.mint({ networks: ["10.0.0.0/8", network] }))).toContain(complaint);
    const rotated = { id: old.key.id, overlapSeconds: 0, expiresAt: undefined, networks: [network] };
    expect(await complaintOf(rotateKey(backend.service, rotated))).toContain(complaint);
  }
  const many = Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`);
  expect(await complaintOf(backend.mint({ networks: many }))).toContain("at most 20 networks");
  expect(await complaintOf(backend.mint({ networks: many.slice(1) }))).toBe("it was done");
  expect(await backend.service.store.listKeys(undefined)).toHaveLength(2);
});

test("a key with networks is refused without an address, and one with nonsense for them from everywhere", async () => {
  await using backend = await openTestService();
  const { token } = await backend.mint({ networks: ["0.0.0.0/0", "::/0"] });
  const refusalFrom = (address: string) => {
    const isIn = (networks: string) => isInNetworks(networks, address);
    return refusalOf(authenticate(backend.service, token, undefined, { isIn }));
  };
  expect(await refusalFrom("192.0.2.1")).toBeUndefined();
  expect(await refusalFrom("unix")).toBe("credential_invalid");
  expect(await refusalOfToken(backend, token)).toBe("credential_invalid");
  for (const networks of ["", " ", "null", "*", "0.0.0.0", "10.0.0.0/8,0.0.0.0/0"]) {
    await backend.storage.run(`UPDATE api_keys SET networks = '${networks}'`);
    for (const address of ["192.0.2.1", "2001:db8::1"]) {
      expect({ networks, refusal: await refusalFrom(address) }).toEqual({ networks, refusal: "credential_invalid" });
    }
  }
});

test("people hold no API keys, by name or by id, and no automation takes the name of one", async () => {
  await using backend = await openTestService({}, await openAdminStorage());
  const { service } = backend;
  await createTeam(service, "team");
  const { person } = await invitePerson(service, { team: "team", address: "ann" });
  for (const identity of [person.name, person.id]) {
    for (const scopes of [[], ["secrets:read"]] as const) {
      const minted = createKey(service, { team: "team", identity, scopes, name: null, expiresAt: null });
      expect(await complaintOf(minted)).toBe("'ann' is a person, and people hold no API keys");
    }
  }
  expect(await service.store.listKeys(undefined)).toEqual([]);
  const { key } = await backend.mint();
  expect(await complaintOf(invitePerson(service, { team: "team", address: key.identity.name }))).toContain(
    "is an automation",
  );
});

test("names that look like ids are refused", async () => {
  await using backend = await openTestService({}, await openAdminStorage());
  const { service } = backend;
  const { key } = await backend.mint();
  const create = (identity: string, name: string | null) =>
    createKey(service, { team: "team", identity, scopes: ["secrets:read"], name, expiresAt: null });
  for (const kind of ["team", "identity", "key"] as const) {
    const id = service.ids.next(kind);
    for (const name of [
      () => createTeam(service, id),
      () => create(id, null),
      () => create("ci", id),
      () => invitePerson(service, { team: "team", address: id }),
    ]) {
      expect(await complaintOf(name())).toContain("it looks like an id");
    }
  }
  // The id of an existing identity selects that identity.
  const again = await createKey(service, {
    team: "team",
    identity: key.identity.id,
    scopes: [],
    name: null,
    expiresAt: null,
  });
  expect(again.key.identity.id).toBe(key.identity.id);
});

test("the last use of a key is recorded once a minute", async () => {
  await using backend = await openTestService();
  const { key, token } = await backend.mint();
  const lastUse = async () =>
    (await backend.service.store.listKeys(undefined)).find(({ id }) => id === key.id)?.lastUsedAt;
  expect(await lastUse()).toBeNull();
  const first = Math.floor(backend.clock.now() / MINUTE) * MINUTE;
  for (const milliseconds of [0, 1000, MINUTE]) {
    backend.clock.advance(milliseconds);
    await authenticate(backend.service, token, undefined);
    // The record isn't awaited, but the store writes in order.
    await backend.mint();
    expect(await lastUse()).toBe(milliseconds === MINUTE ? first + MINUTE : first);
  }
});
