import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import type { Service } from "../../src/domain/service.ts";
import { createApp } from "../../src/http/app.ts";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import type { HttpOptions, Observer } from "../../src/http/options.ts";
import { startServer } from "../../src/http/server.ts";
import type { ServerOptions } from "../../src/http/server.ts";
import { expectDescribed } from "./answers.ts";
import { openTestService } from "./service.ts";
import type { TestService } from "./service.ts";
import type { TestStorage } from "./storages.ts";
import type { TestClock } from "./test-clocks.ts";

/** The real app over a real database, on loopback and a free port unless it is told to listen elsewhere. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly backend: TestService;
  /** Every line logged so far, as JSON. */
  readonly logs: string[];
  /** The line that was logged, or is about to be, for the request with this id. */
  lineOf(requestId: string): Promise<string>;
  /** Calls a path of the server. A `body` that is no string is sent as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
  readonly json: any;
}

export async function startTestServer(
  options: {
    readonly policy?: Partial<ServerPolicy>;
    readonly http?: Partial<HttpOptions>;
    /** Makes the counter of what the server does. */
    readonly observe?: (service: Service) => Observer;
    /** Where it keeps everything; the engine that this run is for without it. */
    readonly storage?: TestStorage;
    readonly clock?: TestClock;
    /** The way in which it listens; on loopback and a free port without it. */
    readonly listen?: Partial<ServerOptions>;
  } = {},
): Promise<TestServer> {
  const backend = await openTestService(options.policy, options.storage, options.clock);
  const logs: string[] = [];
  let tell = () => {};
  const write = (level: string) => (fields: object, message: string) => {
    logs.push(JSON.stringify({ level, ...fields, message }));
    tell();
  };
  let url = "";
  const app = createApp(backend.service, {
    baseUrl: () => url,
    trustedProxies: parseTrustedProxies([]),
    bodyMemoryBytes: 64 * 1024 * 1024,
    corsOrigins: [],
    log: { info: write("info"), warn: write("warn"), error: write("error") },
    logAddresses: false,
    version: "0.0.0-test",
    installation: () => "0".repeat(32),
    observer: options.observe?.(backend.service),
    ...options.http,
  });
  const server = await startServer(app, {
    target: { kind: "tcp", hostname: "127.0.0.1", port: 0 },
    tls: undefined,
    ...options.listen,
  });
  url = server.url;
  return {
    url,
    backend,
    logs,
    async lineOf(requestId) {
      for (;;) {
        const line = logs.find((each) => each.includes(requestId));
        if (line) return line;
        // A request is logged after it is answered.
        await new Promise<void>((resolve) => (tell = resolve));
      }
    },
    call: (method, path, callOptions) => call(url, method, path, callOptions),
    async [Symbol.asyncDispose]() {
      backend.service.waits.release();
      await server.stop(1000);
      await backend[Symbol.asyncDispose]();
    },
  };
}

async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, body } = options;
  const headers = new Headers(options.headers);
  if (token !== undefined && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const response = await fetch(url + path, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, json: parseJson(text) };
  if (response.ok && method !== "HEAD" && method !== "OPTIONS") expectDescribed(method, path, answer);
  return answer;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
