import { CommanderError } from "commander";
import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import { maskUrls } from "../../config/masked-urls.ts";
import { traceOf } from "../../contract/error-traces.ts";
import type { ErrorTrace } from "../../contract/error-traces.ts";
import type { OperationId } from "../../contract/operations.ts";
import { ERROR_KINDS, UserError } from "../../contract/user-errors.ts";
import { formatLogLine, withPriority } from "./log-lines.ts";
import { formatJson, redact, usageError } from "./terminal.ts";
import type { CommandError, Terminal } from "./terminal.ts";

/** The failure of a command, as people and scripts see it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  readonly requestId?: string | undefined;
  /** Left out when nothing was changed. */
  readonly outcome?: "unknown" | undefined;
  /** The place in the code of an unexpected failure; undefined for others. */
  readonly trace?: ErrorTrace;
}

/** The advice about a call with an unknown outcome, by its purpose. */
export type DoubtAdvice = Partial<Record<OperationId, string>>;

const HARMLESS = "Run the same command again, which does no harm.";

/** The advice for the person who ran the command. */
const COMMAND_ADVICE: DoubtAdvice = {
  createSecret:
    "Look with 'handoff list' first. If it's there, revoke it with 'handoff revoke': nobody has its link. Then send the secret again.",
  createLargeSecret:
    "Look with 'handoff list' first. If it's there, revoke it with 'handoff revoke': nobody has its link. Then send the secret again.",
  claimSecret: "Run the same command again right away: it takes up the same claim.",
  claimLargeSecret: "Run the same command again right away: it takes up the same claim.",
  askApproval: "Run the same command again, which asks anew.",
  decideAsk: HARMLESS,
  patchSecret: HARMLESS,
  revokeSecret: HARMLESS,
  createRequest: "Nobody has its link. Ask again: if it was made, it expires unused.",
  submitSecret: "Ask the person who sent the link whether it arrived, before you hand it in again.",
  submitLargeSecret: "Ask the person who sent the link whether it arrived, before you hand it in again.",
  patchRequest: HARMLESS,
  revokeRequest: HARMLESS,
};

/**
 * The failure of a rejected command, with advice on an unknown outcome; undefined for an exit such as that of `--help`.
 */
export function toFailure(error: unknown, ways: DoubtAdvice = COMMAND_ADVICE): Failure | undefined {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "");
    return error.exitCode === 0 ? undefined : { ...ERROR_KINDS.usage, message };
  }
  if (error instanceof ClientError) {
    const { code, kind, requestId, unknownOutcomeOf } = error;
    const { exitCode } = ERROR_KINDS[kind];
    const outcome = unknownOutcomeOf === undefined ? undefined : "unknown";
    return { code, message: describeDoubt(error, ways), exitCode, requestId, outcome };
  }
  if (error instanceof UserError) {
    const { code, message, kind } = error;
    return { code, message, exitCode: ERROR_KINDS[kind].exitCode };
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
  /** The arguments, some of which a message may repeat. */
  readonly args: readonly string[];
  readonly isJson?: boolean;
}

/** The message of an error, with what to do first about an unknown outcome, unless it says so itself. */
function describeDoubt({ message, advice, unknownOutcomeOf }: ClientError, ways: DoubtAdvice): string {
  const way = unknownOutcomeOf === undefined || advice !== "" ? undefined : ways[unknownOutcomeOf];
  return way === undefined ? message : `${message} ${way}`;
}

/** Reports a command's failure on standard error, as JSON if asked for. Returns the exit code. */
export function tellFailure(
  terminal: Pick<Terminal, "env" | "say">,
  error: unknown,
  { args, isJson = false }: FailedCall,
): number {
  const failure = toFailure(error);
  if (!failure) return 0;
  const { code, exitCode, requestId, outcome } = failure;
  const message = redact(maskUrls(failure.message, args, exitCode === ERROR_KINDS.usage.exitCode));
  const lines = traceLines(terminal, failure);
  if (isJson) {
    const trace = lines.length > 0 ? lines : undefined;
    const facts = { code, message, exit_code: exitCode, request_id: requestId, outcome, trace };
    terminal.say(withPriority("error", formatJson({ error: facts }).trimEnd()));
  }
  // Commander has already printed its message.
  else if (!(error instanceof CommanderError))
    terminal.say(withPriority("error", [`handoff: ${message}`, ...lines].join("\n")));
  return exitCode;
}

/** Reports why a server ended: like `tellFailure`, or as a log line with the trace. Returns the exit code. */
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

/** The lines that show where an unexpected `failure` happened; none unless HANDOFF_DEBUG is 1. */
export function traceLines({ env }: Pick<Terminal, "env">, { trace }: Failure): string[] {
  return trace === undefined || env["HANDOFF_DEBUG"] !== "1" ? [] : linesOf(trace);
}

function linesOf({ error, code, at, cause }: ErrorTrace): string[] {
  const name = code === undefined ? error : `${error} (${code})`;
  const caused = cause === undefined ? [] : linesOf(cause);
  return [name, ...at.map((each) => `    ${each}`), ...caused.map((line, i) => (i === 0 ? `caused by ${line}` : line))];
}

/** Sentences for the parser's errors, by code. They get the first groups of its message. */
const SENTENCES: readonly (readonly [message: RegExp, sentence: (...parts: string[]) => string])[] = [
  [/^unknown option '(.*?)'/s, (name = "") => `There is no option '${name.replace(/=.*/s, "")}'.`],
  [/^unknown command '(.*?)'/s, (name) => `There is no command '${name}'.`],
  [/^missing required argument '(.*?)'/s, (name) => `The argument <${name}> is missing.`],
  [/^option '(.*?)' argument missing/s, (flags) => `A value is missing: ${longOf(flags)}.`],
  [/^required option '(.*?)' not specified/s, (flags) => `An option is missing: ${longOf(flags)}.`],
  [/^too many arguments/, () => "There are too many arguments."],
  [
    /^option '(.*?)' argument '.*' is invalid\. Allowed choices are (.*)\.$/s,
    (flags, choices) => `${longOf(flags).replace(/ .*/s, "")} must be one of: ${choices}.`,
  ],
  [
    /value '.*' is invalid for argument '(.*?)'\. Allowed choices are (.*)\.$/s,
    (name, choices) => `<${name}> must be one of: ${choices}.`,
  ],
];

/** The error of `command` for the parser's `error`: what is wrong, and where its usage is explained. */
export function toUsageError(command: Command, error: CommanderError): CommandError {
  const [refusal = "", ...hints] = error.message.replace(/^error: /, "").split("\n(");
  const hint = hints.map((each) => each.replace(/\)$/, ""));
  return usageError([sentenceOf(refusal), ...hint, `Try '${helpOf(command)}'.`].join(" "));
}

function sentenceOf(refusal: string): string {
  for (const [pattern, sentence] of SENTENCES) {
    const match = pattern.exec(refusal);
    if (match) return sentence(...match.slice(1));
  }
  return refusal.replace(/\.?$/, ".");
}

/** The long name of an option with its value, from the flags in its help. */
function longOf(flags: string): string {
  return flags.replace(/^-\w, /, "");
}

/** The command that explains `command`: `handoff help admin key create`. */
function helpOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return ["handoff help", ...names].join(" ");
}
