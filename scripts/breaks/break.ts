/** A behavior, and a change to the code that removes it. */
export interface Break {
  /** A sentence about the changed behavior. */
  readonly what: string;
  /** The path from the top of the repository. */
  readonly file: string;
  /** The text to replace. It must be in the file once, so that a break that no longer fits the code is noticed. */
  readonly find: string;
  readonly replace: string;
  /** The test files that must fail, none of which needs the executable. */
  readonly tests: readonly string[];
}
