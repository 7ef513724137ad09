import { parseIdempotencyKey, type RepeatableRequest } from "../domain/idempotency.ts";
import { visitOf } from "./visits.ts";

/** What of a POST tells a repetition of it from another one. Throws a Refusal `invalid_header`. */
export function repeatable(request: Request): RepeatableRequest {
  return {
    idempotencyKey: parseIdempotencyKey(request.headers.get("idempotency-key")),
    path: visitOf(request).path,
  };
}
