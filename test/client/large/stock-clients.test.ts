import { expect, test } from "bun:test";
import { Encrypter } from "age-encryption";
import { Upload } from "tus-js-client";
import { startTestServer } from "../../support/server.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";

/** A binary age file, of random bytes, to a passphrase. */
async function ageFile(): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase("fake-local-test-only");
  encrypter.setScryptWorkFactor(1);
  return new Uint8Array(await encrypter.encrypt(crypto.getRandomValues(new Uint8Array(65_536))));
}

test("tus-js-client sends an age file, goes on after a lost connection, and ends an upload", async () => {
  await using server = await startTestServer({ storage: openSqliteStorage() });
  const { token } = await server.backend.mint();
  const file = await ageFile();
  /** Loses the answer to the second piece. */
  let pieces = 0;
  const lossy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const answer = await fetch(server.url + pathname, {
        method: request.method,
        headers: request.headers,
        body: await request.bytes(),
      });
      if (request.method !== "PATCH" || ++pieces !== 2) return new Response(answer.body, answer);
      return new Response(null, { status: 502 });
    },
  });
  const methods: string[] = [];
  const sent = await new Promise<Upload>((resolve, reject) => {
    const upload: Upload = new Upload(Buffer.from(file), {
      endpoint: `${lossy.url.origin}/api/v1/uploads`,
      headers: { Authorization: `Bearer ${token}` },
      chunkSize: 20_000,
      retryDelays: [0, 0],
      onBeforeRequest: (request) => void methods.push(request.getMethod()),
      onSuccess: () => resolve(upload),
      onError: reject,
    });
    upload.start();
  });
  await lossy.stop(true);
  expect(methods).toEqual(["POST", "PATCH", "PATCH", "HEAD", "PATCH", "PATCH"]);
  const path = new URL(sent.url ?? "").pathname;
  const made = await server.call("POST", `${path}/secret`, { token });
  expect(made).toMatchObject({ status: 201, json: { envelope_version: 2, ciphertext_bytes: file.length } });

  const tus = { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0" };
  const headers = { ...tus, "upload-length": "1000" };
  const begun = await fetch(`${server.url}/api/v1/uploads`, { method: "POST", headers });
  const url = server.url + (begun.headers.get("location") ?? "");
  await Upload.terminate(url, { headers: { Authorization: `Bearer ${token}` } });
  expect((await fetch(url, { method: "HEAD", headers: tus })).status).toBe(410);
});
