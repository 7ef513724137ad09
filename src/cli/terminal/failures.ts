import { CommanderError } from "commander";
import { ClientError } from "../../client/errors.ts";
import { maskUrls } from "../../config/masked-urls.ts";
import { traceOf } from "../../contract/error-traces.ts";
import type { ErrorTrace } from "../../contract/error-traces.ts";
import { ERROR_KINDS, UserError } from "../../contract/user-errors.ts";
import { formatLogLine } from "./log-lines.ts";
import { formatJson, redact } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/** The failure of a command, as people and scripts are told of it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  readonly requestId?: string | undefined;
  /** The place of a failure that nobody foresaw; undefined for others. */
  readonly trace?: ErrorTrace;
}

/** The failure that a rejected command means. Undefined when it only wanted to end early, as `--help` does. */
export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "");
    return error.exitCode === 0 ? undefined : { ...ERROR_KINDS.usage, message };
  }
  if (error instanceof UserError) {
    const { code, message, kind } = error;
    const requestId = error instanceof ClientError ? error.requestId : undefined;
    return { code, message, exitCode: ERROR_KINDS[kind].exitCode, requestId };
  }
  const trace = traceOf(error);
  return {
    code: "internal",
    message: `Something went wrong (${trace.error}). Please report this.`,
    exitCode: ERROR_KINDS.failure.exitCode,
    trace,
  };
}

/** The call that failed. */
export interface FailedCall {
  /** The arguments, of which a message may repeat some. */
  readonly args: readonly string[];
  readonly isJson?: boolean;
}

/** Says on standard error what a command failed for, as JSON if asked to. Returns the exit code. */
export function tellFailure(
  terminal: Pick<Terminal, "env" | "say">,
  error: unknown,
  { args, isJson = false }: FailedCall,
): number {
  const failure = toFailure(error);
  if (!failure) return 0;
  const { code, exitCode, requestId } = failure;
  const message = redact(maskUrls(failure.message, args, exitCode === ERROR_KINDS.usage.exitCode));
  const lines = traceLines(terminal, failure);
  if (isJson) {
    const trace = lines.length > 0 ? lines : undefined;
    terminal.say(formatJson({ error: { code, message, exit_code: exitCode, request_id: requestId, trace } }).trimEnd());
  }
  // Commander has said what it had to say.
  else if (!(error instanceof CommanderError)) terminal.say([`handoff: ${message}`, ...lines].join("\n"));
  return exitCode;
}

/**
 * Says on standard error what a server ended for: an expected failure as `tellFailure` does, what nobody foresaw as a line
 * of its log, with where it happened, because a server that has ended cannot be asked to do the same again. Returns the
 * exit code.
 */
export function tellServerEnd(
  terminal: Pick<Terminal, "env" | "say">,
  error: unknown,
  call: Pick<FailedCall, "args">,
): number {
  const failure = toFailure(error);
  if (!failure?.trace) return tellFailure(terminal, error, call);
  const msg = "the server ended for what nobody foresaw. Please report this";
  terminal.say(formatLogLine("fatal", failure.trace, msg));
  return failure.exitCode;
}

/** The lines that show where `failure` happened: none unless HANDOFF_DEBUG is 1 and nobody foresaw it. */
export function traceLines({ env }: Pick<Terminal, "env">, { trace }: Failure): string[] {
  return trace === undefined || env["HANDOFF_DEBUG"] !== "1" ? [] : linesOf(trace);
}

function linesOf({ error, code, at, cause }: ErrorTrace): string[] {
  const name = code === undefined ? error : `${error} (${code})`;
  const caused = cause === undefined ? [] : linesOf(cause);
  return [name, ...at.map((each) => `    ${each}`), ...caused.map((line, i) => (i === 0 ? `caused by ${line}` : line))];
}
