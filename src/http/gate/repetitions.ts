import { parseIdempotencyKey } from "../../domain/idempotency.ts";
import type { RepeatableCall } from "../../domain/idempotency.ts";
import type { ResponseHeaders } from "../options.ts";
import { visitOf } from "./visits.ts";

/** Says in the headers of an answer to a POST whether it was given before. */
export function markReplay(headers: ResponseHeaders, { isReplay }: { readonly isReplay: boolean }): void {
  if (isReplay) headers["idempotency-replayed"] = "true";
}

/**
 * The key and the path of a POST, which tell a repetition of it from another one. Throws a Refusal `invalid_header`.
 */
export function toRepeatableCall(request: Request): RepeatableCall {
  return {
    idempotencyKey: parseIdempotencyKey(request.headers.get("idempotency-key")),
    path: visitOf(request).path,
  };
}
