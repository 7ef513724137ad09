import { expect, test } from "bun:test";
import { OPERATIONS } from "../../src/contract/operations.ts";
import { AdminError } from "../../src/domain/administration.ts";
import { authenticate, authorize } from "../../src/domain/callers.ts";
import { disableIdentity, enableIdentity, setScopes } from "../../src/domain/identities.ts";
import { revokeKey } from "../../src/domain/keys.ts";
import { reauthenticate } from "../../src/domain/sessions.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { refusalOf } from "../support/secrets.ts";
import { openTestService } from "../support/service.ts";

const ofTeam = (nameOrId: string) => ({ nameOrId, team: "team" });

test("enabling an identity restores its keys that aren't revoked or expired", async () => {
  await using backend = await openTestService();
  const { service } = backend;
  const [live, revoked] = [await backend.mint(), await backend.mint()];
  await revokeKey(service, revoked.key.id);
  for (const { key } of [live, revoked]) await disableIdentity(service, ofTeam(key.identity.name));
  expect(await refusalOf(authenticate(service, live.token, undefined))).toBe("credential_invalid");
  for (const { key } of [live, revoked]) {
    expect((await enableIdentity(service, ofTeam(key.identity.id))).disabledAt).toBeNull();
  }
  expect(await refusalOf(authenticate(service, live.token, undefined))).toBeUndefined();
  expect(await refusalOf(authenticate(service, revoked.token, undefined))).toBe("credential_invalid");
});

test("changed scopes apply to the next call, and to waiting ones", async () => {
  await using backend = await openTestService();
  const { service } = backend;
  const { key, token } = await backend.mint({ scopes: ["secrets:read"] });
  const caller = await authenticate(service, token, undefined);
  const changed = await setScopes(service, ofTeam(key.identity.name), ["secrets:create", "secrets:create"]);
  expect(changed.scopes).toEqual(["secrets:create"]);
  const allowed = async (operation: "createSecret" | "getSecret") =>
    authorize(await authenticate(service, token, undefined), OPERATIONS[operation], undefined);
  expect(await refusalOf(allowed("createSecret"))).toBeUndefined();
  expect(await refusalOf(allowed("getSecret"))).toBe("insufficient_scope");
  expect(await refusalOf(reauthenticate(service, caller, OPERATIONS.getSecret, undefined))).toBe("insufficient_scope");
});

test("commands for automations refuse people", async () => {
  await using backend = await openTestService();
  const { service } = backend;
  await backend.mint();
  const { person } = await invitePerson(service, { team: "team", address: "ann@example.com" });
  for (const change of [disableIdentity, enableIdentity]) {
    const refused = change(service, ofTeam(person.name));
    expect(await refused.catch((error: unknown) => error)).toEqual(
      new AdminError("'ann@example.com' is a person: 'handoff admin person' adds and removes people"),
    );
  }
});
