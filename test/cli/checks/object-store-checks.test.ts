import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkObjectStore } from "../../../src/cli/checks/object-store-checks.ts";
import { findPostgres } from "../../../src/cli/server/storages/places.ts";
import { DatabaseUrl } from "../../../src/config/database-urls.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { openObjectStore } from "../../../src/store/blobs/object-store.ts";
import type { ObjectStoreOptions } from "../../../src/store/blobs/object-store.ts";
import { piecesOf } from "../../support/blob-places.ts";
import { append } from "../../support/blobs.ts";
import { keysIn, startFaultyStore, startObjectStore } from "../../support/object-stores.ts";
import { openLargePostgresStorage } from "../../support/postgres-storage.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { openUploadsIn } from "../../support/uploads.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());
const moto = await startObjectStore();
afterAll(() => moto[Symbol.asyncDispose]());
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const keyFile = join(folder.path, "key");
writeFileSync(keyFile, "test:fake-local-test-only", { mode: 0o600 });

/** An installation with a large secret of a few bytes in `bucket`, and what is found about it. */
async function setUp(bucket: ObjectStoreOptions) {
  const objects = openObjectStore(bucket);
  const storage = await openLargePostgresStorage(cluster.socket, objects);
  const open = await openUploadsIn(storage);
  const url = new DatabaseUrl(storage.env["HANDOFF_DATABASE_URL"] ?? "");
  const place = findPostgres(url, { databasePool: 6, databaseTimeout: 15 }, {});
  const { id } = await open.addUpload({ bytes: 4, offset: 0 });
  const { uploads, blobs } = storage.large();
  const expiresAt = open.place.clock.now() + 1_000_000;
  await append(blobs, id, 0, piecesOf("text"), {
    onStored: async (stored) => void (await uploads.noteProgress(id, { ...stored, expiresAt })),
  });
  const found = async ({ endpoint, name = bucket.bucket }: { endpoint: string; name?: string }, now = Date.now()) => {
    const settings = loadSettings(
      {
        database: "postgresql:///x?host=/run",
        objectStore: `${endpoint}/${name}`,
        objectStoreKeyFile: keyFile,
      },
      {},
    );
    const findings = await checkObjectStore(settings, place, "test", now);
    return findings.map(({ check, level, text }) => `${level} ${check}: ${text}`);
  };
  return {
    objects,
    place,
    found,
    makeSecret: () => open.addLarge({ id, bytes: 4, createdBy: "idn_1" } as Parameters<typeof open.addLarge>[0]),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

test("an object store that can be used has every object of large secrets, and keeps nothing of the check", async () => {
  const bucket = await moto.makeBucket("sound");
  await using open = await setUp(bucket);
  const fine = `ok object store: '${moto.url}/sound' takes, lists, hands out and deletes objects.`;
  // An upload is no secret yet.
  expect(await open.found(bucket)).toEqual([fine]);
  const { id } = await open.makeSecret();
  expect(await open.found(bucket)).toEqual([
    fine,
    "ok large secrets: Every large secret has its objects in the object store.",
  ]);
  const [key = "", ...more] = await keysIn(bucket);
  expect(more).toEqual([]);
  await open.objects.put(key, new Uint8Array(3));
  const lost = `aren't as long as they were: ${id}. Put them back if you have them. If not, run: handoff admin secret revoke ${id}`;
  expect(await open.found(bucket)).toEqual([fine, expect.stringContaining(lost)]);
  await open.objects.remove(key);
  expect((await open.found(bucket))[1]).toStartWith("failed large secrets: Objects of large secrets are missing");
  expect(await checkObjectStore(loadSettings({}, {}), open.place, "test", 0)).toEqual([
    {
      check: "object store",
      level: "failed",
      text: "1 large secret can't be opened, because no object store is set. Give the one that has them, with --object-store.",
    },
  ]);
});

test("a bucket that keeps versions, and a clock that differs, are warned of", async () => {
  const bucket = await moto.makeBucket("versions", { keepsVersions: true });
  await using open = await setUp(bucket);
  expect(await open.found(bucket)).toEqual([
    expect.stringMatching(/^warning object store: '.*' keeps versions of objects, so that erased large secrets stay/),
  ]);
  const other = await moto.makeBucket("clock");
  await using late = await setUp(other);
  expect(await late.found(other, Date.now() + 120_000)).toEqual([
    expect.stringMatching(/^warning object store: The clocks of '.*' and of this machine differ by 1[12]\d seconds/),
  ]);
});

test("an object store that can't be used is reported with a reason and advice", async () => {
  const bucket = await moto.makeBucket("faulty");
  await using open = await setUp(bucket);
  expect(await open.found({ ...bucket, name: "missing" })).toEqual([
    "failed object store: The object store can't be used: NoSuchBucket. It has no such bucket. Make it, or correct --object-store.",
  ]);
  expect(await open.found({ endpoint: "http://127.0.0.1:1" })).toEqual([
    expect.stringContaining("can't be used: ECONNREFUSED. Check --object-store, its certificate and the network."),
  ]);
  await using store = startFaultyStore(bucket);
  const answers: [string, number, string][] = [
    ["SignatureDoesNotMatch", 403, "It refuses the access key"],
    ["AuthorizationHeaderMalformed", 400, "The bucket is in another region"],
    ["RequestTimeTooSkewed", 403, "Its clock differs"],
  ];
  for (const [code, status, advice] of answers) {
    store.fault = async () => new Response(`<Error><Code>${code}</Code></Error>`, { status });
    expect(await open.found({ endpoint: store.options.endpoint })).toEqual([
      expect.stringContaining(`${code}. ${advice}`),
    ]);
  }
  // It says that it has kept the object of the check.
  store.fault = async ({ method }) =>
    method === "GET"
      ? new Response("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>", { status: 200 })
      : new Response(null);
  expect((await open.found({ endpoint: store.options.endpoint }))[0]).toStartWith("failed object store: ");
});
