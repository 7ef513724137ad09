import type { AnswerOf, BodyOf, IdOf, QueryOf } from "../../contract/operation-schemas.ts";
import type { OperationId } from "../../contract/operations.ts";
import type { Caller } from "../../domain/callers.ts";
import type { Prefix } from "../gate/routes.ts";
import type { ResponseHeaders } from "../options.ts";

/** One call of an operation, past the gate and the schemas. */
export interface Call<Id extends OperationId> {
  readonly caller: Caller;
  /** The id that the path names; undefined when it names none. */
  readonly id: IdOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  readonly request: Request;
  /** The prefix at which the operation was called. */
  readonly prefix: Prefix;
  /** The headers of the answer, to which a handler may add. */
  readonly headers: ResponseHeaders;
}

/** Answers the calls of one operation, with a Response where the answer is not JSON. Rejects with a Refusal. */
type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id> | Response>;

export type Handlers<Ids extends OperationId = OperationId> = { readonly [Id in Ids]: Handler<Id> };
