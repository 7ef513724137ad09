import type { ErrorCode } from "../contract/error-codes.ts";
import { detailOf, ERRORS } from "../contract/errors.ts";
import type { Outcome, SchemaError } from "../contract/problems.ts";
import type { Scope } from "../contract/scopes.ts";

/** The details of a refusal beside its bare code. None of them may come from what the caller sent. */
export interface RefusalOptions {
  readonly detail?: string;
  readonly errors?: readonly SchemaError[];
  readonly retryAfterSeconds?: number;
  /** Left out when nothing was changed. */
  readonly outcome?: Outcome;
  /** The methods that the path has, for `method_not_allowed`. */
  readonly allow?: readonly string[];
  /** The scope that was missing, for `insufficient_scope`. */
  readonly scope?: Scope;
  /** The key that counts no more, for the log alone. */
  readonly keyId?: string;
  readonly cause?: unknown;
}

/** A rule said no, by a code of the contract. Its message is fixed text: error texts reach logs. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly options: RefusalOptions;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(ERRORS[code].title, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  /** A sentence for people about what to do. */
  get detail(): string {
    return this.options.detail ?? detailOf(this.code);
  }
}

/** The refusal of what a caller wanted who is gone; it reaches nobody but the log. */
export function callerGone(): Refusal {
  return new Refusal("server_busy", { detail: "The caller was gone before this was done. Nothing was handed out." });
}
