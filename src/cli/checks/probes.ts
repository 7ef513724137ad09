import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { readBody } from "../../client/transfers.ts";

const PATIENCE_MS = 5000;
/** The time that a proxy has to refuse a body. */
const REFUSAL_MS = 2000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** The answer to a probe. */
export interface ProbeAnswer {
  readonly status: number;
  /** The parsed body; undefined when it isn't JSON, or is too large. */
  readonly json: unknown;
}

/** Gets `url` without following redirects. Rejects when no answer comes within 5 seconds. */
export async function probe(
  url: string,
  way: { readonly headers?: Readonly<Record<string, string>>; readonly unix?: string } = {},
): Promise<ProbeAnswer> {
  const answer = await fetch(url, { ...way, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await readBody(answer, MAX_ANSWER_BYTES, { onBytes: () => undefined, onProgress: undefined });
  return { status: answer.status, json: text === undefined ? undefined : parse(text) };
}

/** Announces a body of `bytes`, and sends none of it. Undefined when no answer comes within 2 seconds. */
export function declareBody(url: string, bytes: number): Promise<ProbeAnswer | undefined> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": bytes };
    const request = send(url, { method: "POST", headers });
    const finish = (answer: ProbeAnswer | undefined) => {
      resolve(answer);
      request.destroy();
    };
    request.on("response", (response) => void readAnswer(response).then(finish));
    request.on("error", () => finish(undefined));
    request.setTimeout(REFUSAL_MS, () => finish(undefined));
    request.flushHeaders();
  });
}

async function readAnswer(response: IncomingMessage): Promise<ProbeAnswer> {
  let text = "";
  response.setEncoding("utf8");
  try {
    for await (const part of response) {
      text += String(part);
      if (text.length > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The beginning is enough.
  }
  return { status: response.statusCode ?? 0, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The member `name` of a JSON value; undefined when it isn't a string. */
export function textIn(json: unknown, name: string): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const value: unknown = Object.entries(json).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : undefined;
}
