import { Readable } from "node:stream";
import type { Writable } from "node:stream";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { pause } from "../client/deadlines.ts";
import { createHandlers } from "./handlers.ts";
import type { HandlerOptions } from "./handlers.ts";
import { readMessages } from "./messages.ts";
import { refusalOf, withoutDump } from "./refusals.ts";

/** The message streams: standard input and output. */
export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface McpOptions extends Omit<HandlerOptions, "onCall" | "era"> {
  /** Aborted when the program must end. */
  readonly signal: AbortSignal;
  /** Writes a line to the host's log. */
  readonly log: (line: string) => void;
  /** How long running calls may take to answer when the program ends; a second by default. */
  readonly graceMs?: number;
}

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const TOO_LONG = "The message is longer than 10 MiB. Pass the path of a file instead.";
const GRACE_MS = 1000;
/** How long calls may take to stop their commands. */
const STOP_MS = 3000;

/**
 * Speaks the Model Context Protocol until the input ends or `signal` is aborted; running calls then have a moment to
 * answer. The first message determines the revision: 2026-07-28, or an earlier one, which begins with `initialize`.
 */
export async function serveMcp(options: McpOptions, { input, output }: McpStreams): Promise<void> {
  const calls = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const onCall = (call: Promise<unknown>) => {
    calls.add(call);
    void call.finally(() => calls.delete(call)).catch(() => undefined);
  };
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  // Every waiting writer adds a listener.
  output.setMaxListeners(0);
  // The host is gone.
  output.on("error", end);
  options.signal.addEventListener("abort", () => end());
  const refuse = (refusal: object) => void output.write(`${JSON.stringify(refusal)}\n`);
  const messages = boundedInput(input, { end, refuse });
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const send = transport.send.bind(transport);
  let startChanges: (uris: readonly string[]) => void = () => {};
  transport.send = (message) => {
    // The library keeps these subscriptions, and filters the changes for each.
    if ("method" in message && message.method === ACKNOWLEDGED) startChanges(urisOf(message.params));
    return send(withoutDump(message));
  };
  const serve = (era: "legacy" | "modern") => {
    const handlers = createHandlers({ ...options, signal, onCall, era });
    startChanges = handlers.startChanges;
    return handlers.server;
  };
  const handle = serveStdio(({ era }) => serve(era), {
    transport,
    // The error isn't logged, because it may quote the message.
    onerror: () => options.log("a message of the host is not one of the protocol"),
  });
  await over;
  await settled(calls, options.graceMs ?? GRACE_MS);
  stopping.abort();
  await settled(calls, STOP_MS);
  // Answers are written after their calls have ended.
  await pause(0);
  await handle.close();
}

/** The URIs of the resources that a host has subscribed to. */
function urisOf(params: object | undefined): string[] {
  const { notifications } = (params ?? {}) as { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/** The messages of `input`, without an end, at which the transport would drop the answers of running calls. */
function boundedInput(
  input: Readable,
  { end, refuse }: { readonly end: () => void; readonly refuse: (refusal: object) => void },
): Readable {
  const read = async function* () {
    try {
      const onTooLong = (id: string | number | undefined) => refuse(tooLong(id));
      for await (const line of readMessages(input, { maxBytes: MAX_MESSAGE_BYTES, onTooLong })) {
        if (isBlank(line)) continue;
        const refusal = refusalOf(line);
        if (refusal === undefined) yield line;
        else refuse(refusal);
      }
    } finally {
      end();
    }
    await new Promise(() => undefined);
  };
  return Readable.from(read());
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x0a || byte === 0x09);
}

function tooLong(id: string | number | undefined) {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: TOO_LONG };
  return { jsonrpc: "2.0" as const, ...(id === undefined ? {} : { id }), error };
}

/** Resolves when all calls have ended, or after `milliseconds`. */
async function settled(calls: ReadonlySet<Promise<unknown>>, milliseconds: number): Promise<void> {
  const done = new AbortController();
  await Promise.race([Promise.allSettled(calls), pause(milliseconds, done.signal)]);
  done.abort();
}
