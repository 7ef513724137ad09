/** The kinds of failures, with their exit code, which scripts rely on, and their default error code. */
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

/** What happened, and separately what to do, which is left out where it doesn't fit. */
export interface Explanation {
  /** Empty where a title says it. */
  readonly meaning: string;
  /** Empty when there is nothing to do. */
  readonly advice: string;
}

/** Joins both parts of an explanation. */
export function joinExplanation({ meaning, advice }: Explanation): string {
  return [meaning, advice].filter((each) => each !== "").join(" ");
}

export interface UserErrorOptions {
  /** The stable code of the failure; by default that of its kind. */
  readonly code?: string;
  readonly cause?: unknown;
}

/**
 * An expected failure. Its message is for people: it says what happened and what to do, without any secret. Messages of
 * other errors may quote input, and are never shown.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
  readonly kind: ErrorKind;
  readonly code: string;
  /** The part of the message that says what happened. */
  readonly meaning: string;
  /** The part of the message that says what to do; empty for none, and for a message in one piece. */
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
