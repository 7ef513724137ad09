import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { readBody } from "../../client/transfers.ts";

const PATIENCE_MS = 5000;
/** The time in which a proxy that does not take a body has said so. */
const REFUSAL_MS = 2000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** An answer to a call that tries something out. */
export interface ProbeAnswer {
  readonly status: number;
  /** The body as JSON; undefined when it is none, or too large. */
  readonly json: unknown;
}

/** Reads what is at `url`, following no redirect; `way` says with which headers, and through which socket. Rejects when nothing answers within five seconds. */
export async function probe(
  url: string,
  way: { readonly headers?: Readonly<Record<string, string>>; readonly unix?: string } = {},
): Promise<ProbeAnswer> {
  const answer = await fetch(url, { ...way, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await readBody(answer, MAX_ANSWER_BYTES, { onBytes: () => undefined, onProgress: undefined });
  return { status: answer.status, json: text === undefined ? undefined : parse(text) };
}

/**
 * Declares a body of `bytes`, and sends none of it: who takes less says so at once, and so may who refuses the missing credential. Resolves
 * undefined when nobody answers before the body has come.
 */
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
    // Its beginning has come.
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

/** The member `name` of a JSON value, when it is a text. */
export function textIn(json: unknown, name: string): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const value: unknown = Object.entries(json).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : undefined;
}
