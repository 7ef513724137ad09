import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { GENERATORS } from "../support/generated-clients.ts";
import { servedSpec } from "../support/openapi.ts";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

const MODULES = join(import.meta.dir, "../../node_modules");

/** `server` as it may be after the API has grown: every answer has more members, and every choice a new value. */
function serverOfTomorrow({ url }: TestServer) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? {} : { body: await request.text() };
      const response = await fetch(url + pathname + search, {
        method: request.method,
        headers: request.headers,
        ...body,
      });
      const text = await response.text();
      const grown = text && JSON.stringify(JSON.parse(text, grow));
      const type = response.headers.get("content-type");
      return new Response(grown || null, { status: response.status, headers: type ? { "content-type": type } : {} });
    },
  });
}

function grow(name: string, value: unknown): unknown {
  if (["state", "code", "type", "ciphertext_format"].includes(name)) return `${String(value)}_of_tomorrow`;
  if (name === "envelope_version" || name === "version") return 2;
  return typeof value === "object" && value !== null ? { ...value, of_tomorrow: { deep: [1] } } : value;
}

for (const [name, generator] of Object.entries(GENERATORS)) {
  test(`a client that ${name} makes hands a secret over, today and when the API has grown`, async () => {
    await using server = await startTestServer();
    using folder = temporaryFolder();
    symlinkSync(MODULES, join(folder.path, "node_modules"));
    await Bun.write(join(folder.path, "openapi.json"), JSON.stringify(await servedSpec(server)));
    await generator.generate(folder.path);
    const { token } = await server.backend.mint();
    const today = await generator.run(folder.path, server.url, token);
    expect(today).toEqual({
      id: expect.stringMatching(/^sec_/),
      state: "available",
      ciphertext: "fake-local-test-only",
      claimed: "claimed",
      acknowledged: 204,
      problem: "secret_claimed",
      status: 410,
    });
    using tomorrow = serverOfTomorrow(server);
    expect(await generator.run(folder.path, tomorrow.url.origin, token)).toMatchObject({
      state: "available_of_tomorrow",
      claimed: "claimed_of_tomorrow",
      acknowledged: 204,
      problem: "secret_claimed_of_tomorrow",
      status: 410,
    });
  }, 120_000);
}
