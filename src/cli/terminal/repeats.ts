import { ClientError } from "../../client/errors.ts";
import type { ErrorKind } from "../../contract/user-errors.ts";
import { CommandError } from "./terminal.ts";
import { formatClock } from "./times.ts";

/**
 * Where a claimed secret can be had again after its command failed: from the server until a time of the API, from this
 * machine, or nowhere. `claimsLeft` is how often the secret can still be claimed anew, as far as is known.
 */
export type Repeat =
  { readonly kind: "until"; readonly time: string } | { readonly kind: "kept" | "never"; readonly claimsLeft: number };

/**
 * A secret can't be written to its destination, but could be elsewhere; `remedy` says how: `Run the same command with
 * --force,`.
 */
export class DeliveryError extends CommandError {
  readonly remedy: string;

  constructor(message: string, remedy: string, kind?: ErrorKind) {
    super(message, kind);
    this.remedy = remedy;
  }
}

/** A sentence about what to do when a command fails after its claim. */
function adviceOf(repeat: Repeat, remedy: string): string {
  switch (repeat.kind) {
    case "until":
      return `${remedy} before ${formatClock(repeat.time)}.`;
    case "kept":
      return `${remedy} within a day: the secret is kept on this machine, encrypted.`;
    case "never":
      return repeat.claimsLeft === 0 ? "It can't be opened again." : `It can be opened again, ${timesOf(repeat)}.`;
  }
}

function timesOf({ claimsLeft }: { readonly claimsLeft: number }): string {
  return claimsLeft === 1 ? "once" : `${claimsLeft} times`;
}

/** Runs the work after claims, and adds to its errors how to repeat it; `again` is such as `Run the same command`. */
export async function resumable<T>(repeats: readonly Repeat[], work: () => T | Promise<T>, again?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withAdvice(error, repeats, again);
  }
}

/** The errors that have advice, with what they were before. */
const advised = new WeakMap<object, { readonly error: unknown; readonly repeats: readonly Repeat[] }>();

/**
 * The same error with what can still be done; unchanged when nothing can help, or when the command was stopped. An
 * error that has such advice already gets one for these claims too, in its place.
 */
export function withAdvice(error: unknown, repeats: readonly Repeat[], again?: string): unknown {
  const before = typeof error === "object" && error !== null ? advised.get(error) : undefined;
  if (before) return withAdvice(before.error, [...before.repeats, ...repeats], again);
  const changed = addAdvice(error, repeats, again);
  if (changed instanceof Error && changed !== error) advised.set(changed, { error, repeats });
  return changed;
}

function addAdvice(error: unknown, repeats: readonly Repeat[], again = "Run the same command") {
  const first = firstOf(repeats);
  if (first === undefined) return error;
  if (error instanceof ClientError && !isFinal(error)) {
    const { code, kind, message: meaning, requestId, unknownOutcomeOf } = error;
    const explanation = { meaning, advice: adviceOf(first, again) };
    return new ClientError(code, kind, explanation, { requestId, unknownOutcomeOf, cause: error });
  }
  if (error instanceof CommandError && error.kind !== "interrupted") {
    const remedy = error instanceof DeliveryError ? error.remedy : again;
    return new CommandError(`${toSentence(error.message)} ${adviceOf(first, remedy)}`, error.kind, error);
  }
  return error;
}

/** True for errors that repeat on every attempt, and for commands that were stopped. */
function isFinal({ kind, code }: ClientError): boolean {
  return code === "interrupted" || (kind === "decryption" && code !== "decryption_failed");
}

/** A sentence about claims with undelivered secrets, with the `remedy`; empty without claims. */
export function rescueOf(repeats: readonly Repeat[], remedy: string): string {
  const first = firstOf(repeats);
  return first === undefined ? "" : adviceOf(first, remedy);
}

/** A message with its period. */
export function toSentence(message: string): string {
  return message.endsWith(".") ? message : `${message}.`;
}

/** The way that ends first; undefined when there is none. */
function firstOf(repeats: readonly Repeat[]): Repeat | undefined {
  const times = repeats.flatMap((each) => (each.kind === "until" ? [each.time] : [])).toSorted();
  const [time] = times;
  const never = repeats.find(({ kind }) => kind === "never");
  return never ?? (time === undefined ? repeats[0] : { kind: "until", time });
}
