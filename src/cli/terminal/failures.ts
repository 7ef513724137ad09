import { CommanderError } from "commander";
import { ClientError } from "../../client/errors.ts";
import type { ClientErrorKind } from "../../client/errors.ts";
import { CommandError, EXIT } from "./terminal.ts";

/** What is said of a command that failed, to people and to scripts. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  readonly requestId?: string | undefined;
}

const EXIT_OF: Record<ClientErrorKind, number> = {
  usage: EXIT.usage,
  credential: EXIT.credential,
  gone: EXIT.gone,
  decryption: EXIT.decryption,
  network: EXIT.network,
  failure: EXIT.failure,
};

const CODES: Readonly<Record<number, string>> = {
  [EXIT.usage]: "usage",
  [EXIT.credential]: "credential",
  [EXIT.decryption]: "decryption_failed",
  [EXIT.nothingYet]: "nothing_handed_in",
  [EXIT.notText]: "not_text",
  [EXIT.interrupted]: "interrupted",
};

// Errors that are meant for people have a message that says what to do; of all others only the kind is shown, because
// the message may quote input.
const FOR_PEOPLE: Readonly<Record<string, number>> = {
  SettingsError: EXIT.usage,
  DatabaseError: EXIT.failure,
  ListenError: EXIT.failure,
  AdminError: EXIT.failure,
  Refusal: EXIT.failure,
  LinkError: EXIT.usage,
};

/** The failure that a rejected command means. Undefined when it only wanted to end early, as `--help` does. */
export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "");
    return error.exitCode === 0 ? undefined : { code: "usage", message, exitCode: EXIT.usage };
  }
  if (error instanceof ClientError) {
    const { code, message, requestId } = error;
    return { code, message, requestId, exitCode: code === "interrupted" ? EXIT.interrupted : EXIT_OF[error.kind] };
  }
  if (error instanceof CommandError) {
    return { code: CODES[error.exitCode] ?? "failure", message: error.message, exitCode: error.exitCode };
  }
  const name = error instanceof Error ? error.name : typeof error;
  const exitCode = FOR_PEOPLE[name];
  if (error instanceof Error && exitCode !== undefined) {
    return { code: exitCode === EXIT.usage ? "usage" : "failure", message: error.message, exitCode };
  }
  return {
    code: "internal",
    message: `Something went wrong (${name}). Please report this.`,
    exitCode: EXIT.failure,
  };
}
