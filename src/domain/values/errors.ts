import type { ErrorCode } from "../../contract/error-codes.ts";
import { detailOf, ERRORS } from "../../contract/errors.ts";
import type { Outcome, SchemaError } from "../../contract/problems.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { TeamRule } from "../../contract/states.ts";

/** The details of a refusal beside its code. None of them may come from the caller's input. */
export interface RefusalOptions {
  readonly detail?: string;
  readonly errors?: readonly SchemaError[];
  readonly retryAfterSeconds?: number;
  /** Left out when nothing was changed. */
  readonly outcome?: Outcome;
  /** The allowed methods of the path, for `method_not_allowed`. */
  readonly allow?: readonly string[];
  /** The media type to send, for `unsupported_media_type`; JSON when it is absent. */
  readonly accept?: string;
  /** The missing scope, for `insufficient_scope`. */
  readonly scope?: Scope;
  /** The broken rule, for `team_rule`. */
  readonly rule?: TeamRule;
  /** The id of the revoked or expired key, for the log alone. */
  readonly keyId?: string;
  /** A sentence on why, for the log alone. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** An expected failure with a code of the contract. Its message is fixed text, because error messages reach logs. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly options: RefusalOptions;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(ERRORS[code].title, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  /** Meaning and advice for people. */
  get detail(): string {
    return this.options.detail ?? detailOf(this.code);
  }
}

/** The refusal of a call whose caller has disconnected. Only the log sees it. */
export function callerGone(): Refusal {
  return new Refusal("server_busy", { detail: "The caller was gone before this was done. Nothing was handed out." });
}
