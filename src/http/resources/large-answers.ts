import type { Characters } from "../../contract/ciphertexts.ts";
import { answerBytes } from "../../contract/limits.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import type { Received } from "../gate/addresses.ts";
import type { BodyBudget } from "../gate/body-budgets.ts";
import { giveBack } from "../gate/body-streams.ts";
import { callerOf, visitOf } from "../gate/visits.ts";

/** Answers with large ciphertexts in a limited memory, which clients that do not read would use up. */
export interface LargeAnswers {
  /** Takes memory for an answer until it is sent or its caller disconnects. Throws a Refusal `server_busy`. */
  takeRoom(request: Request, ciphertextBytes: number): void;
  /** Returns an answer whose JSON is the concatenation of `parts`. Byte arrays among them are empty afterwards. */
  answer(request: Request, parts: readonly Characters[]): Response;
}

const HEADERS = { "content-type": "application/json" };
const CHECK_INTERVAL_MS = 20;
const PIECE_BYTES = 64 * 1024;

export function createLargeAnswers(
  budget: BodyBudget,
  { maxCiphertextBytes }: ServerPolicy,
  server: () => Received["server"],
): LargeAnswers {
  const hasAddress = (request: Request) => Boolean(server()?.requestIP(request));
  return {
    takeRoom(request, ciphertextBytes) {
      // Shares of their own, so that unread answers leave room for bodies.
      const holder = { caller: `answers ${callerOf(request).credentialId}`, group: "answers" };
      const room = budget.take(holder, answerBytes(ciphertextBytes), answerBytes(maxCiphertextBytes));
      visitOf(request).answerRoom = room;
    },
    answer(request, parts) {
      const visit = visitOf(request);
      if (!hasAddress(request)) {
        const { body, over } = streamOf(request.signal, parts);
        visit.answerSent = over.then(() => giveAllBack(parts));
        return new Response(body, { headers: HEADERS });
      }
      const whole = new Blob([...parts]);
      giveAllBack(parts);
      // Bun forgets the address of a caller once everything is sent, or the caller has disconnected.
      visit.answerSent = untilFalse(() => hasAddress(request));
      return new Response(whole, { headers: HEADERS });
    },
  };
}

function giveAllBack(parts: readonly Characters[]): void {
  for (const part of parts) if (typeof part !== "string") giveBack(part);
}

async function untilFalse(isSo: () => boolean): Promise<void> {
  do await Bun.sleep(CHECK_INTERVAL_MS);
  while (isSo());
}

/**
 * The text of `parts` as a stream that takes each piece when it is sent. A Unix socket has no addresses, so only the
 * stream shows when an answer was sent. The length of the answer is not declared.
 */
function streamOf(
  signal: AbortSignal,
  parts: readonly Characters[],
): { readonly body: ReadableStream<Uint8Array>; readonly over: Promise<void> } {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const pieces = piecesOf(parts);
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value } = pieces.next();
        if (value) return controller.enqueue(value);
        controller.close();
        resolve();
      },
      cancel: () => resolve(),
    },
    { highWaterMark: 0 },
  );
  return { body, over };
}

function* piecesOf(parts: readonly Characters[]): Generator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  for (const part of parts) {
    for (let start = 0; start < part.length; start += PIECE_BYTES) {
      const piece = part.slice(start, start + PIECE_BYTES);
      yield typeof piece === "string" ? encoder.encode(piece) : piece;
    }
  }
}
