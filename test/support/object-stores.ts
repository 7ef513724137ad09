import { join } from "node:path";
import { ObjectStoreError, openObjectStore } from "../../src/store/blobs/object-store.ts";
import type { ObjectStore, ObjectStoreOptions } from "../../src/store/blobs/object-store.ts";

const ROOT = join(import.meta.dir, "../..");
const PYTHON = join(ROOT, ".tools/object-store/bin/python");

/** The access key. The store for tests takes any. */
const KEY = { accessKeyId: "test", secretAccessKey: "fake-local-test-only", region: "us-east-1" } as const;

/** A running object store with the S3 interface. */
export interface TestObjectStore extends AsyncDisposable {
  readonly url: string;
  /** Makes a bucket, and returns how to call it. */
  makeBucket(name: string, options?: { readonly keepsVersions?: boolean }): Promise<ObjectStoreOptions>;
}

/** Starts moto, which keeps everything in memory. Installs it where `scripts/test` hasn't. */
export async function startObjectStore(): Promise<TestObjectStore> {
  const installed = Bun.spawnSync([join(ROOT, "scripts/python-packages"), "object-store"]);
  if (!installed.success) throw new Error(installed.stderr.toString());
  const child = Bun.spawn([PYTHON, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = await findUrl(child.stderr);
  const put = async (path: string, body = "") => {
    const { ok, status } = await fetch(`${url}/${path}`, { method: "PUT", body });
    if (!ok) throw new Error(`the object store answers ${status}`);
  };
  return {
    url,
    async makeBucket(bucket, { keepsVersions = false } = {}) {
      await put(bucket);
      if (keepsVersions) await put(`${bucket}?versioning`, VERSIONING);
      return { ...KEY, endpoint: url, bucket };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

const VERSIONING =
  '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>';

/** Reads what moto says until it listens, and then goes on reading: it waits for its reader. */
async function findUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    let said = "";
    for await (const chunk of output) {
      if (said.length < 10_000) said += new TextDecoder().decode(chunk);
      const [, found] = /Running on (http:\S+\d)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    }
    reject(new Error(`the object store has ended: ${said}`));
  })();
  return promise;
}

/** What a proxy does with a call: the answer in place of the store's, or undefined to pass it on. */
type Fault = (request: Request, forward: () => Promise<Response>) => Promise<Response> | undefined;

/** A store that can be slow, fail and lie: a proxy in front of another. */
export interface FaultyStore extends AsyncDisposable {
  readonly options: ObjectStoreOptions;
  /** What it does from now on; passes everything on without. */
  fault: Fault | undefined;
  /** The methods of the calls so far. */
  readonly calls: string[];
}

export function startFaultyStore(options: ObjectStoreOptions): FaultyStore {
  const calls: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    idleTimeout: 0,
    async fetch(request) {
      calls.push(request.method);
      const { pathname, search } = new URL(request.url);
      const body = request.method === "PUT" ? await request.bytes() : null;
      const forward = () =>
        fetch(options.endpoint + pathname + search, {
          method: request.method,
          headers: request.headers,
          body,
          decompress: false,
        });
      return (await store.fault?.(request, forward)) ?? forward();
    },
  });
  const store: FaultyStore = {
    // Quick, because a test waits for it.
    options: { ...options, endpoint: server.url.origin, patienceMs: 2000, pauseMs: 1 },
    fault: undefined,
    calls,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return store;
}

/** A store in memory, and its objects. */
export function memoryObjects(): ObjectStore & { readonly kept: Map<string, Uint8Array<ArrayBuffer>> } {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const find = (key: string) => {
    const bytes = kept.get(key);
    if (!bytes) throw new ObjectStoreError("NoSuchKey", false);
    return bytes;
  };
  return {
    kept,
    put: async (key, bytes) => void kept.set(key, bytes.slice()),
    async *get(key, start, end) {
      const bytes = find(key).slice(start, end);
      if (bytes.length !== end - start) throw new ObjectStoreError("TooShort", false);
      yield bytes;
    },
    find: async (key) => ({ bytes: find(key).length, version: undefined, storeTime: undefined }),
    remove: async (key) => void kept.delete(key),
    async *list(prefix) {
      for (const [key, { length }] of [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (key.startsWith(prefix)) yield { key, bytes: length };
      }
    },
  };
}

/** The keys of a bucket. */
export async function keysIn(options: ObjectStoreOptions, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of openObjectStore(options).list(prefix)) keys.push(key);
  return keys;
}
