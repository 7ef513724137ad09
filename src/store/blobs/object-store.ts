import { codeOf } from "../../contract/error-traces.ts";

/** An object store with the S3 interface, and how to call it. */
export interface ObjectStoreOptions {
  /** Its origin, such as `https://s3.example`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** How long it may be silent, in milliseconds. */
  readonly patienceMs?: number;
  /** The pause before a call is tried again; each further one is four times as long. */
  readonly pauseMs?: number;
  /** The objects that a call lists; a thousand by default. */
  readonly pageObjects?: number;
}

/** An object as a list has it. */
interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

/** What a store says of an object. */
export interface ObjectFacts {
  readonly bytes: number;
  /** The id of its version; undefined where only the latest one is kept. */
  readonly version: string | undefined;
  /** The store's time, in epoch milliseconds; undefined when it doesn't say. */
  readonly storeTime: number | undefined;
}

/** The objects of a bucket. Everything rejects with an ObjectStoreError. */
export interface ObjectStore {
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The bytes from `start` up to `end`, which is behind the last. Goes on where a connection was lost. */
  get(key: string, start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  find(key: string): Promise<ObjectFacts>;
  /** Removes an object; one that isn't there, too. */
  remove(key: string): Promise<void>;
  /** The objects whose keys begin with `prefix`, in the order of their keys. */
  list(prefix: string): AsyncGenerator<ListedObject>;
}

/** A call that failed. Its message may quote the store, and has no secret in it. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  /** A code of the store, such as `NoSuchBucket`, or of a connection, such as `ConnectionRefused`. */
  readonly code: string;
  readonly mayPass: boolean;

  constructor(code: string, mayPass: boolean, cause?: unknown) {
    super(`the object store: ${code}`, { cause });
    this.code = code;
    this.mayPass = mayPass;
  }
}

const PATIENCE_MS = 15_000;
const PAUSE_MS = 250;
const MAX_ATTEMPTS = 4;
/** How long a signed call is valid. The clocks may differ as much. */
const SIGNED_SECONDS = 300;
const MAX_ERROR_BYTES = 16 * 1024;
const SILENT = "Timeout";

/** Opens a bucket. Nothing is called yet. */
export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS, pageObjects: maxKeys, ...rest } = options;
  const client = new Bun.S3Client(rest);

  /** Calls by `fetch`, which can be given up, unlike what Bun's client sends itself. Returns an answer of success. */
  const call = async (
    method: "GET" | "HEAD" | "PUT" | "DELETE",
    key: string,
    init: { readonly body?: Uint8Array<ArrayBuffer>; readonly headers?: Record<string, string> } = {},
    signal?: AbortSignal,
  ): Promise<Response> => {
    const late = new AbortController();
    // A slow line needs as long to send an object.
    const timer = setTimeout(() => late.abort(), init.body ? 4 * patienceMs : patienceMs);
    try {
      const response = await fetch(client.presign(key, { method, expiresIn: SIGNED_SECONDS }), {
        method,
        ...init,
        redirect: "manual",
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
      });
      if (!response.ok) throw await refusedBy(response);
      return response;
    } catch (error) {
      throw late.signal.aborted ? new ObjectStoreError(SILENT, false) : toError(error);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Tries again what may pass. A store that is silent has taken enough time. */
  const persist = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        const failure = toError(error);
        if (!failure.mayPass || attempts === MAX_ATTEMPTS) throw failure;
        await Bun.sleep(pauseMs * 4 ** (attempts - 1));
      }
    }
  };

  const listPage = (prefix: string, startAfter: string | undefined) => {
    const page = { prefix, ...(startAfter !== undefined && { startAfter }), ...(maxKeys !== undefined && { maxKeys }) };
    return persist(() => inTime(client.list(page), patienceMs));
  };

  return {
    put: (key, body) => persist(async () => void (await call("PUT", key, { body }))),

    async *get(key, start, end, signal) {
      let [at, attempts] = [start, 0];
      while (at < end) {
        try {
          const headers = { range: `bytes=${at}-${end - 1}` };
          const response = await call("GET", key, { headers }, signal);
          checkPart(response, at, end);
          for await (const bytes of readBody(response, patienceMs)) {
            if (at + bytes.length > end) throw new ObjectStoreError("TooLong", false);
            at += bytes.length;
            attempts = 0;
            yield bytes;
          }
          if (at < end) throw new ObjectStoreError("TooShort", true);
        } catch (error) {
          const failure = toError(error);
          attempts += 1;
          if (signal.aborted || !failure.mayPass || attempts === MAX_ATTEMPTS) throw failure;
          await Bun.sleep(pauseMs * 4 ** (attempts - 1));
        }
      }
    },

    find: (key) =>
      persist(async () => {
        const { headers } = await call("HEAD", key);
        const storeTime = Date.parse(headers.get("date") ?? "");
        return {
          bytes: Number(headers.get("content-length")),
          version: versionIn(headers),
          storeTime: Number.isNaN(storeTime) ? undefined : storeTime,
        };
      }),

    remove: (key) =>
      persist(async () => {
        try {
          await call("DELETE", key);
        } catch (error) {
          if (!(error instanceof ObjectStoreError && error.code === "NoSuchKey")) throw error;
        }
      }),

    async *list(prefix) {
      for (let after: string | undefined, isMore = true; isMore;) {
        const { contents = [], isTruncated = false } = await listPage(prefix, after);
        for (const { key, size } of contents) yield { key, bytes: size ?? NaN };
        after = contents.at(-1)?.key;
        isMore = isTruncated && after !== undefined;
      }
    },
  };
}

/** The version in an answer. Where versions were never kept, stores leave it out, or say "null". */
function versionIn(headers: Headers): string | undefined {
  const version = headers.get("x-amz-version-id") ?? "null";
  return version === "null" || version === "" ? undefined : version;
}

/** Throws an ObjectStoreError when an answer isn't the part that was asked for. */
function checkPart({ status, headers }: Response, start: number, end: number): void {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get("content-range") ?? "") ?? [];
  if (status === 206 && Number(first) === start && Number(last) === end - 1) return;
  throw new ObjectStoreError("TooShort", false);
}

/** Reads a body, and gives it up when it says nothing for `patienceMs`. Only the time of waiting counts. */
async function* readBody({ body }: Response, patienceMs: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), patienceMs);
      if (done) return;
      yield value;
    }
  } finally {
    // It isn't needed any more, or was lost.
    reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ObjectStoreError(SILENT, false)), patienceMs);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The error of an answer that is no success. */
async function refusedBy(response: Response): Promise<ObjectStoreError> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const [, code = `status ${status}`] = /<Code>(\w{1,60})<\/Code>/.exec(text.slice(0, MAX_ERROR_BYTES)) ?? [];
  // A HEAD has no body.
  const named = status === 404 && code === "status 404" ? "NoSuchKey" : code;
  return new ObjectStoreError(named, status >= 500 || status === 429 || status === 408);
}

/** The code of Bun's client for a server's error of which it says no more. */
const PASSING_CODES = /^(InternalError|SlowDown|ServiceUnavailable|RequestTimeout|UnknownError|Throttling\w*)$/;
/** What no repetition changes: the certificate, and the name. */
const LASTING_CODES = /CERT|TLS|SSL|ENOTFOUND|DNS/i;

function toError(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const code = codeOf(error) ?? (error instanceof Error ? error.name : "UnknownError");
  const isOfStore = error instanceof Error && error.name === "S3Error";
  const isConnection = !isOfStore || /^(E[A-Z]+|Connection\w*|Failed\w*|Timeout)$/.test(code);
  return new ObjectStoreError(code, (isConnection && !LASTING_CODES.test(code)) || PASSING_CODES.test(code), error);
}
