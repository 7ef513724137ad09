import type { EventRecord } from "../../../domain/ports/events.ts";
import type { BackgroundWork } from "../engine/background-failures.ts";
import type { CommitReport } from "../engine/known-keys.ts";
import type { ErrorData } from "./errors.ts";
import type { StoreSettings } from "./options.ts";
import type { Packed } from "./packing.ts";

/** An operation, or a question about the writer, whose caller waits for the outcome. */
export interface Call {
  readonly id: number;
  /** The name of the operation, or `findTroubles` or `measure`. */
  readonly name: string;
  readonly input: unknown;
}

/** The calls that arrived together. */
export interface Calls {
  /** The time at which they run: there is one clock, the callers'. */
  readonly now: number;
  readonly calls: readonly Call[];
  /** The calls, of this message or an earlier one, whose callers are gone. */
  readonly abandoned: readonly number[];
}

/** A message to the writer's thread. The settings come first, and nothing after `close`. */
export type ToThread =
  | { readonly kind: "open"; readonly settings: StoreSettings; readonly now: number }
  /** `Calls`. */
  | Packed
  | { readonly kind: "close" };

/** The outcome of a call, by its id. */
export type Answer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: ErrorData };

/** The outcomes of calls that were committed together. */
export interface Answers {
  /** The latest time that the database has seen. */
  readonly now: number;
  /** Undefined when the database isn't open, or commits can't be counted. */
  readonly commits: CommitReport | undefined;
  /** Events that were committed, in order. They are announced before the calls are answered. */
  readonly events: readonly EventRecord[];
  readonly answers: readonly Answer[];
}

/** A message from the writer's thread. */
export type FromThread =
  /** `Answers`. */
  | Packed
  | { readonly kind: "failure"; readonly work: BackgroundWork; readonly error: ErrorData }
  | { readonly kind: "abandoned"; readonly isReadable: boolean }
  | { readonly kind: "not_opened"; readonly error: ErrorData }
  | { readonly kind: "closed" };
