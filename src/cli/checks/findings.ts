/** The outcome of a check: fine, needs a look soon, or wrong now. */
export interface Finding {
  readonly check: string;
  readonly level: "ok" | "warning" | "failed";
  /** A sentence on the finding and, unless it is fine, on what to do. */
  readonly text: string;
}

export const fine = (check: string, text: string): Finding => ({ check, level: "ok", text });
export const warning = (check: string, text: string): Finding => ({ check, level: "warning", text });
export const failed = (check: string, text: string): Finding => ({ check, level: "failed", text });

/** The message of `error` as a sentence. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
