/** The form of log lines: JSON, or text for people. */
export type LogFormat = "json" | "text";

/** The levels of lines, each with its priority for systemd's journal (sd-daemon(3)). */
const PRIORITIES = { info: 6, warn: 4, error: 3, fatal: 2 } as const;

type LogLevel = keyof typeof PRIORITIES;

// A process writes one log, and its last line is written where the settings are no longer known.
let format: LogFormat = "json";

/** Sets the form of all later lines. */
export function useLogFormat(chosen: LogFormat): void {
  format = chosen;
}

let hasPriorities = false;

/** Makes every later line begin with its priority, which systemd's journal strips. */
export function usePriorities(chosen: boolean): void {
  hasPriorities = chosen;
}

/** `text` with its priority in front of each line, if standard error is systemd's journal. */
export function withPriority(level: LogLevel, text: string): string {
  return hasPriorities ? `<${PRIORITIES[level]}>${text.replaceAll("\n", `\n<${PRIORITIES[level]}>`)}` : text;
}

/** A log line without its end: time in RFC 3339, level, fields, message. Undefined fields are left out. */
export function formatLogLine(level: LogLevel, fields: object, message: string): string {
  const time = new Date().toISOString();
  const line =
    format === "json"
      ? JSON.stringify({ level, time, ...fields, msg: message })
      : [time, level.padEnd(5), message, ...Object.entries(fields).flatMap(describeField)].join(" ");
  return withPriority(level, line);
}

/** Texts that need no quotes. */
const PLAIN = /^[\x21\x23-\x3c\x3e-\x7e]+$/;

function describeField([name, value]: readonly [string, unknown]): string[] {
  if (value === undefined) return [];
  if (value === null) return [`${name}=-`];
  return [`${name}=${typeof value === "string" && PLAIN.test(value) ? value : JSON.stringify(value)}`];
}
