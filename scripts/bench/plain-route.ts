import { Elysia } from "elysia";
import { CreateSecretBody } from "../../src/contract/secrets.ts";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "../../src/contract/tokens.ts";
import { systemClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import type { ServerReady } from "./servers.ts";

/**
 * The least that a service on these libraries does: an Elysia route for creates, with the app's schema of the body, and
 * one for claims, over a variable. It checks no credential, and stores and logs nothing.
 */
export function servePlainRoute(): ServerReady {
  const ids = createIds(systemClock, systemRandom);
  let last: CreateSecretBody["envelope"] = { version: 1, ciphertext: "" };
  const { server } = new Elysia()
    .post(
      "/api/v1/secrets",
      ({ body, set }) => {
        last = body.envelope;
        const id = ids.next("secret");
        set.status = 201;
        set.headers["location"] = `/api/v1/secrets/${id}`;
        return { id };
      },
      { body: CreateSecretBody },
    )
    .post("/api/v1/secrets/:id/claim", ({ params }) => ({ secret: { id: params.id }, envelope: last }))
    .listen({ hostname: "127.0.0.1", port: 0 });
  const token = encodeToken("apiKey", systemRandom.bytes(TOKEN_ENTROPY_BYTES));
  return { port: server?.port ?? 0, token };
}
