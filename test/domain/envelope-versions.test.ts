import { expect, test } from "bun:test";
import { textOf } from "../../src/contract/ciphertexts.ts";
import type { Envelope } from "../../src/contract/envelopes.ts";
import { authenticate } from "../../src/domain/callers.ts";
import { claimSecret } from "../../src/domain/claims.ts";
import { createRequest, getInvitation, submitSecret } from "../../src/domain/requests.ts";
import { createSecret } from "../../src/domain/secrets.ts";
import { openTestSecrets } from "../support/secrets.ts";
import type { TestSecrets } from "../support/secrets.ts";

const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/** The schema allows only one version today, and large secrets have the next one. */
const another = (ciphertext: string): Envelope => ({ version: 3 as unknown as Envelope["version"], ciphertext });

const call = (path: string) => ({ idempotencyKey: undefined, path });

async function claimed({ backend, caller }: TestSecrets, id: string) {
  const input = { id, call: call("claim"), takeRoom: () => undefined };
  const { secret, envelope } = await claimSecret(backend.service, caller, input);
  expect(secret.envelopeVersion).toBe(envelope.version);
  return { ...envelope, ciphertext: textOf(envelope.ciphertext) };
}

async function ask({ backend, caller }: TestSecrets, note: Envelope | undefined) {
  const { submitToken = "" } = await createRequest(backend.service, caller, {
    body: { recipient: RECIPIENT, ...(note ? { note } : {}) },
    query: {},
    call: call("requests"),
  });
  const submitter = await authenticate(backend.service, submitToken, undefined);
  if (submitter.kind !== "submit") throw new Error("not a submit token");
  return submitter;
}

/** The ways in which an envelope gets in and out. */
const WAYS: Record<string, (secrets: TestSecrets, envelope: Envelope) => Promise<Envelope | null>> = {
  async "a secret"(secrets, envelope) {
    const { backend, caller } = secrets;
    const { secret } = await createSecret(backend.service, caller, { envelope, query: {}, call: call("secrets") });
    return claimed(secrets, secret.id);
  },
  async "a submission"(secrets, envelope) {
    const submitter = await ask(secrets, undefined);
    const input = { envelope, call: call("submissions") };
    const { secret } = await submitSecret(secrets.backend.service, submitter, input);
    return claimed(secrets, secret.id);
  },
  async "a note"(secrets, envelope) {
    const submitter = await ask(secrets, envelope);
    return (await getInvitation(secrets.backend.service, submitter)).note;
  },
};

for (const [what, pass] of Object.entries(WAYS)) {
  test(`${what} is handed out as the version it was handed in as`, async () => {
    await using secrets = await openTestSecrets();
    for (const envelope of [another("of-tomorrow"), { version: 1, ciphertext: "of-today" } as const]) {
      expect(await pass(secrets, envelope)).toEqual(envelope);
    }
  });
}
