import type { Settings } from "../../config/settings.ts";

/** The levels of lines, with the numbers by which tools that read logs of lines of JSON know them. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

type Write = (fields: object, message: string) => void;

/** The log of a server. */
export type ServerLog = Readonly<Record<keyof typeof LEVELS, Write>>;

/**
 * A log that hands lines of JSON, each with its end, to `write`: level, time in epoch milliseconds, fields, message. The
 * lines below `level` are left out; `silent` leaves out all of them.
 */
export function createLog(level: Settings["logLevel"], write: (line: string) => void): ServerLog {
  const least = level === "silent" ? Infinity : LEVELS[level];
  const at = (number: number): Write =>
    number < least
      ? () => undefined
      : (fields, msg) => write(`${JSON.stringify({ level: number, time: Date.now(), ...fields, msg })}\n`);
  return { info: at(LEVELS.info), warn: at(LEVELS.warn), error: at(LEVELS.error) };
}
