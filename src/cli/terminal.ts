/** What a command may touch of the world; in tests something else than the process. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output as it is. */
  readonly out: (text: string) => void;
  /** Writes a line to standard error. */
  readonly say: (line: string) => void;
  /**
   * Takes over the first SIGINT or SIGTERM: the command ends by itself, soon after the signal is aborted. Without a call
   * the process ends at once. A second one always ends it.
   */
  readonly interruptible: () => AbortSignal;
}

/** What the exit code of the program says. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot go on; the message is for the person who called it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}
