/**
 * Each kind of failure: the exit code of a command that ends with it, by which scripts are written, and the code that it
 * has where its error has none of its own.
 */
export const ERROR_KINDS = {
  failure: { exitCode: 1, code: "failure" },
  usage: { exitCode: 2, code: "usage" },
  credential: { exitCode: 3, code: "credential" },
  gone: { exitCode: 4, code: "failure" },
  decryption: { exitCode: 5, code: "decryption_failed" },
  network: { exitCode: 6, code: "failure" },
  nothing_yet: { exitCode: 7, code: "nothing_handed_in" },
  not_text: { exitCode: 8, code: "not_text" },
  interrupted: { exitCode: 130, code: "interrupted" },
} as const satisfies Record<string, { readonly exitCode: number; readonly code: string }>;

export type ErrorKind = keyof typeof ERROR_KINDS;

/** A sentence or two for people: what happened, and apart from it what to do, which does not fit everywhere. */
export interface Explanation {
  /** Empty where a title has said it already. */
  readonly meaning: string;
  /** Empty when there is nothing to do. */
  readonly advice: string;
}

/** Both halves of an explanation as one text. */
export function joinExplanation({ meaning, advice }: Explanation): string {
  return [meaning, advice].filter((each) => each !== "").join(" ");
}

export interface UserErrorOptions {
  /** The stable name of the failure; without it that of its kind. */
  readonly code?: string;
  readonly cause?: unknown;
}

/**
 * An expected failure, whose message is for people: it says what happened and what to do, and has nothing secret in it. Of
 * any other error the message may quote input, and is shown to nobody.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
  readonly kind: ErrorKind;
  readonly code: string;
  /** The message without what to do. */
  readonly meaning: string;
  /** The message without what happened; empty when there is nothing to do, or the message is in one piece. */
  readonly advice: string;

  constructor(kind: ErrorKind, message: string | Explanation, { code, cause }: UserErrorOptions = {}) {
    const explanation = typeof message === "string" ? { meaning: message, advice: "" } : message;
    super(joinExplanation(explanation), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.code = code ?? ERROR_KINDS[kind].code;
    this.meaning = explanation.meaning;
    this.advice = explanation.advice;
  }
}
