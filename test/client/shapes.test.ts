import { expect, test } from "bun:test";
import { ClientError } from "../../src/client/errors.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { getRequest } from "../../src/client/requests.ts";
import { claimSecret, getCredential, getSecret, listSecrets, revokeSecret } from "../../src/client/secrets.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { Secret } from "../../src/contract/secrets.ts";

const [id, requestId] = [exampleId("secret"), exampleId("request")];
const [example]: object[] = Secret["examples"];

test("what answers like no handoff server is not believed", async () => {
  const answers: unknown[] = [
    {},
    { data: "x" },
    { data: [{}] },
    { ...example, state: "undefined" },
    { ...example, ended_at: "yesterday" },
    { ...example, id: `${id.slice(0, -1)}\u001b` },
    // Another secret than the one that was asked for.
    { ...example, id: `${id.slice(0, -1)}0` },
    { secret: { ...example, id: "x/../../tmp/victim" }, envelope: { version: 1, ciphertext: "a" }, replay_until: null },
    { secret: example, envelope: {}, replay_until: null },
    { scopes: ["\u001b[31m"], limits: {} },
  ];
  for (const answer of answers) {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(answer) });
    const client = createHttpClient({ baseUrl: server.url.origin, credential: undefined });
    const calls = [
      getSecret(client, id),
      revokeSecret(client, id),
      claimSecret(client, id, "key"),
      listSecrets(client, { limit: 10 }),
      getCredential(client),
      getRequest(client, requestId),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result.status).toBe("rejected");
      const reason: unknown = result.status === "rejected" ? result.reason : undefined;
      expect(reason).toBeInstanceOf(ClientError);
      expect(reason).toMatchObject({ code: "unexpected_answer" });
    }
  }
});
