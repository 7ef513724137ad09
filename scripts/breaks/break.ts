/** One behaviour, and a change to the code that takes it away. */
export interface Break {
  /** A sentence about what is no longer so. */
  readonly what: string;
  /** From the top of the repository. */
  readonly file: string;
  /**
   * The text that is replaced: it must be in the file once, so that a break that no longer fits the code is noticed.
   */
  readonly find: string;
  readonly replace: string;
  /** The test files that must notice, none of which needs the executable. */
  readonly tests: readonly string[];
}
