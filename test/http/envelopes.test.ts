import { expect, test } from "bun:test";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { LINK_WORK_FACTOR, sealToRecipient, sealWithPassphrase } from "../../src/crypto/envelopes.ts";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

const { recipient } = await createAgeIdentity("x25519");
const CONTENT = new TextEncoder().encode("fake-local-test-only");

/** All operations that accept an envelope. Each sends one and returns the answer. */
async function doors(server: TestServer) {
  const { token } = await server.backend.mint();
  const ask = (body: object) =>
    server.call("POST", "/api/v1/requests?max_submissions=100", { token, body: { recipient, ...body } });
  const { id, submit_token: submitToken } = (await ask({})).json;
  return {
    secret: (envelope: unknown) => server.call("POST", "/api/v1/secrets", { token, body: { envelope } }),
    submission: (envelope: unknown) =>
      server.call("POST", `/api/v1/requests/${id}/submissions`, { token: submitToken, body: { envelope } }),
    note: (envelope: unknown) => ask({ note: envelope }),
  };
}

for (const door of ["secret", "submission", "note"] as const) {
  test(`a ${door} must be encrypted where the server requires it`, async () => {
    await using server = await startTestServer({ policy: { requireEncrypted: true } });
    const send = (await doors(server))[door];
    const sealed = await sealToRecipient(CONTENT, recipient);
    const almost = { version: 1, ciphertext: sealed.ciphertext.slice(0, 100) };
    for (const envelope of [{ version: 1, ciphertext: "staging-db-password_hunter2" }, almost]) {
      expect((await send(envelope)).json).toMatchObject({ status: 422, code: "ciphertext_unrecognized" });
    }
    expect((await send(sealed)).status).toBe(201);
    expect((await send(await sealWithPassphrase(CONTENT, "a passphrase", LINK_WORK_FACTOR))).status).toBe(201);
  });

  test(`a ${door} must be in an envelope within the server's limit`, async () => {
    await using server = await startTestServer({ policy: { maxCiphertextBytes: 1024 } });
    const send = (await doors(server))[door];
    const refused = async (envelope: unknown) => (await send(envelope)).json.code;
    expect(await refused({ version: 2, ciphertext: "x" })).toBe("schema_mismatch");
    expect(await refused({ version: 1, ciphertext: "two words" })).toBe("schema_mismatch");
    expect(await refused({ version: 1, ciphertext: "" })).toBe("schema_mismatch");
    expect(await refused({ version: 1 })).toBe("schema_mismatch");
    expect(await refused({ version: 1, ciphertext: "x", password: "x" })).toBe("plaintext_rejected");
    expect(await refused({ version: 1, ciphertext: "x".repeat(1025) })).toBe("payload_too_large");
    expect((await send({ version: 1, ciphertext: "x".repeat(1024) })).status).toBe(201);
  });
}

test("a note has at most 16 KiB, however large a secret may be", async () => {
  await using server = await startTestServer();
  const { note, submission } = await doors(server);
  const envelope = (length: number) => ({ version: 1, ciphertext: "x".repeat(length) });
  expect((await note(envelope(16_384))).status).toBe(201);
  expect((await note(envelope(16_385))).json).toMatchObject({ status: 413, code: "payload_too_large" });
  expect((await submission(envelope(16_385))).status).toBe(201);
});
