import { useEffect, useState } from "preact/hooks";
import type { ClientError } from "../../client/errors.ts";
import { STRINGS } from "../strings.ts";

/** Shorter pauses are over before anybody could have read of them. */
const WORTH_SAYING_MS = 1000;

let show: (text: string) => void = () => undefined;
let over: ReturnType<typeof setTimeout> | undefined;

/** Has the page say that a call is tried again, for as long as it waits for that. */
export function announceRetry({ code }: ClientError, pauseMs: number): void {
  if (pauseMs < WORTH_SAYING_MS) return;
  show(describeRetry(code)(Math.ceil(pauseMs / 1000)));
  // What is said of a later call is not over with an earlier one.
  clearTimeout(over);
  over = setTimeout(() => show(""), pauseMs);
}

function describeRetry(code: ClientError["code"]): (seconds: number) => string {
  switch (code) {
    case "rate_limited":
      return STRINGS.retrying.limited;
    case "server_busy":
    case "gateway_unavailable":
    case "storage_unavailable":
      return STRINGS.retrying.busy;
    default:
      return STRINGS.retrying.network;
  }
}

/** The text about calls that are tried again; empty when there are none. */
export function useRetryNotice(): string {
  const [text, setText] = useState("");
  useEffect(() => {
    show = setText;
  }, []);
  return text;
}
