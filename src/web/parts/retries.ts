import { useEffect, useState } from "preact/hooks";
import type { ClientError } from "../../client/errors.ts";
import { STRINGS } from "../strings.ts";

/** Shorter pauses are over before anybody could have read of them. */
const WORTH_SAYING_MS = 1000;

const BUSY: ReadonlySet<string> = new Set([
  "rate_limited",
  "server_busy",
  "gateway_unavailable",
  "storage_unavailable",
]);

let show: (text: string) => void = () => undefined;

/** Has the page say that a call is tried again, for as long as it waits for that. */
export function announceRetry({ code }: ClientError, pauseMs: number): void {
  if (pauseMs < WORTH_SAYING_MS) return;
  const isBusy = BUSY.has(code);
  const { busy, network } = STRINGS.retrying;
  const text = (isBusy ? busy : network)(Math.ceil(pauseMs / 1000));
  show(text);
  setTimeout(() => show(""), pauseMs);
}

/** The text about calls that are tried again; empty when there are none. */
export function useRetryNotice(): string {
  const [text, setText] = useState("");
  useEffect(() => {
    show = setText;
  }, []);
  return text;
}
