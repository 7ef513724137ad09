import type { Settings } from "../../config/settings.ts";
import { formatLogLine } from "../terminal/log-lines.ts";

/** The levels of lines, the least first. */
const LEVELS = ["info", "warn", "error"] as const;

type Write = (fields: object, message: string) => void;

/** The log of a server. */
export type ServerLog = Readonly<Record<(typeof LEVELS)[number], Write>>;

/** Creates a log that writes lines of level, time, fields and message. It leaves out lines below `level`. */
export function createLog(level: Settings["logLevel"], write: (line: string) => void): ServerLog {
  const least = level === "silent" ? Infinity : LEVELS.indexOf(level);
  const at = (each: (typeof LEVELS)[number]): Write =>
    LEVELS.indexOf(each) < least
      ? () => undefined
      : (fields, message) => write(`${formatLogLine(each, fields, message)}\n`);
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
