import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import type { CallAnswer, CallFailure, CallTarget, ToldEvent, WebhookCaller } from "../domain/ports/webhooks.ts";
import { hostOf, mayCall } from "../domain/webhooks/addresses.ts";
import { toMessage } from "./formats.ts";
import type { Message } from "./formats.ts";

/** The timeout of a whole call. */
const TIMEOUT_MS = 10_000;
/** The maximum number of bytes read of an answer, its headers included. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** The maximum number of informational answers, such as 103. */
const MAX_INFORMATION = 1;

/** Any port will do. */
const ANY_PORT = 9;

/** A resolved address. */
interface Address {
  readonly address: string;
  readonly family: number;
}

export interface CallerOptions {
  readonly version: string;
  /** Resolves a name; tests replace it. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
  readonly timeoutMs?: number;
}

/** An answer with the beginning of its body, which is shown when an admin tests a webhook, and never stored. */
export interface FullAnswer {
  readonly answer: CallAnswer;
  readonly body: string;
}

/** A caller that also returns bodies. */
export interface FullCaller extends WebhookCaller {
  /** Like `call`, with the body of the answer. */
  callFully(target: CallTarget, event: ToldEvent, now: number, signal?: AbortSignal): Promise<FullAnswer>;
}

/**
 * Creates a caller that follows contract section 12. Each call resolves its name once, and connects only to the
 * addresses that were checked. It never uses a proxy, which would resolve the name again.
 */
export function createCaller(options: CallerOptions): FullCaller {
  const { version, resolve = resolveName, timeoutMs = TIMEOUT_MS } = options;
  const callFully = async (
    target: CallTarget,
    event: ToldEvent,
    now: number,
    signal?: AbortSignal,
  ): Promise<FullAnswer> => {
    const url = new URL(target.url);
    const message = toMessage(target, event, now);
    const headers = { ...message.headers, "user-agent": `handoff/${version}` };
    const timeout = AbortSignal.timeout(timeoutMs);
    const end = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const found = await within(end, findAddresses(url, target.allowHttp, resolve));
    const answer =
      typeof found === "string" ? unanswered(found) : await post(url, found, { headers, body: message.body }, end);
    signal?.throwIfAborted();
    return answer;
  };
  return { callFully, call: async (...args) => (await callFully(...args)).answer };
}

async function resolveName(host: string): Promise<readonly Address[]> {
  return lookup(host, { all: true });
}

function unanswered(failure: CallFailure): FullAnswer {
  return { answer: { failure }, body: "" };
}

/** Resolves the addresses of a URL, or the failure: a single forbidden address is enough to refuse the call. */
async function findAddresses(
  url: URL,
  allowHttp: boolean,
  resolve: NonNullable<CallerOptions["resolve"]>,
): Promise<readonly Address[] | CallFailure> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family > 0 ? [{ address: host, family }] : await resolve(host).catch(() => []);
  if (addresses.length === 0) return "name_not_found";
  for (const address of addresses) {
    const may = (isOwn: boolean) => mayCall(url, address.address, allowHttp, isOwn);
    if (!may(false) || (!may(true) && (await isOfThisMachine(address)))) return "address_refused";
  }
  return addresses;
}

/**
 * Resolves true for an address of this machine: only to its own addresses does the kernel connect from the same
 * address. Sends nothing. Listing the addresses would need AF_NETLINK, which the unit doesn't allow.
 */
async function isOfThisMachine({ address, family }: Address): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  // The address is unreachable.
  socket.on("error", () => resolve(false));
  socket.on("connect", () => resolve(socket.address().address === address));
  socket.connect(ANY_PORT, address);
  try {
    return await promise;
  } finally {
    socket.close();
  }
}

/** Resolves with the result of `work`, or with a failure when `signal` is aborted. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T | CallFailure> {
  const { promise, resolve } = Promise.withResolvers<CallFailure>();
  const abort = () => resolve("timed_out");
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Sends `message` to one of `addresses`. Resolves when the answer is read completely, or up to the limit. */
function post(
  url: URL,
  addresses: readonly Address[],
  { headers, body }: Message,
  signal: AbortSignal,
): Promise<FullAnswer> {
  const { promise, resolve } = Promise.withResolvers<FullAnswer>();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send({
    method: "POST",
    hostname: hostOf(url),
    port: url.port || undefined,
    path: url.pathname + url.search,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    // The certificate is checked for the name, the connection goes to a checked address, and no other call uses it.
    lookup: lookupIn(addresses),
    agent: false,
  });
  let finish = (failure: CallFailure) => resolve(unanswered(failure));
  const leave = (failure: CallFailure) => {
    finish(failure);
    request.destroy();
  };
  request.on("error", (error) => finish(failureOf(error)));
  request.on("response", (response) => (finish = readAnswer(response, resolve)));
  limitAnswer(request, () => leave("unreachable"));
  const abort = () => leave("timed_out");
  signal.addEventListener("abort", abort, { once: true });
  request.end(body);
  return promise.finally(() => signal.removeEventListener("abort", abort));
}

/** A lookup that returns `addresses` for every name. */
function lookupIn(addresses: readonly Address[]): LookupFunction {
  const [first = { address: "", family: 0 }] = addresses;
  return (_host, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Calls `leave` when an answer exceeds the limit, before its body too, which the parser would read without end. */
function limitAnswer(request: ClientRequest, leave: () => void): void {
  let informations = 0;
  request.on("information", () => {
    informations += 1;
    if (informations > MAX_INFORMATION) leave();
  });
  request.on("socket", (socket) => {
    let length = 0;
    socket.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length >= MAX_ANSWER_BYTES) leave();
    });
  });
}

/**
 * Reads an answer to its end and calls `resolve`. Its status counts whatever happens to its body, so the returned
 * function resolves it at once.
 */
function readAnswer(response: IncomingMessage, resolve: (answer: FullAnswer) => void): () => void {
  const chunks: Buffer[] = [];
  const finish = () => {
    const status = response.statusCode ?? 0;
    const retryAfter = response.headers["retry-after"] ?? null;
    resolve({ answer: { status, retryAfter }, body: Buffer.concat(chunks).toString() });
  };
  response.on("data", (chunk: Buffer) => void chunks.push(chunk));
  for (const end of ["end", "error", "close"]) response.on(end, finish);
  return finish;
}

/** Error codes of Node and OpenSSL about certificates. */
const TLS_CODE = /CERT|TLS|SSL|UNABLE_TO_(?:VERIFY|GET_ISSUER)|SIGNATURE|SELF_SIGNED/;

function failureOf(error: Error): CallFailure {
  const code = "code" in error ? String(error.code) : "";
  return TLS_CODE.test(code) ? "tls_untrusted" : "unreachable";
}
