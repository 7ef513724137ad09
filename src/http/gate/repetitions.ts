import { parseIdempotencyKey } from "../../domain/idempotency.ts";
import type { RepeatableCall } from "../../domain/idempotency.ts";
import type { ResponseHeaders } from "../options.ts";
import { visitOf } from "./visits.ts";

/** Marks the answer to a POST that was given before. */
export function markReplay(headers: ResponseHeaders, { isReplay }: { readonly isReplay: boolean }): void {
  if (isReplay) headers["idempotency-replayed"] = "true";
}

/** The idempotency key and path of a POST, which identify repetitions. Throws a Refusal `invalid_header`. */
export function toRepeatableCall(request: Request): RepeatableCall {
  return {
    idempotencyKey: parseIdempotencyKey(request.headers.get("idempotency-key")),
    path: visitOf(request).path,
  };
}
