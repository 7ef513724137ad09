import { useEffect, useState } from "preact/hooks";
import type { ClientError } from "../../client/errors.ts";
import { PAGE } from "../texts/page.ts";

/** A shorter pause ends before anybody could read about it. */
const WORTH_SAYING_MS = 1000;

let show: (text: string) => void = () => undefined;
let over: ReturnType<typeof setTimeout> | undefined;

/** Shows that a call is tried again, until the pause ends. */
export function announceRetry({ code }: ClientError, pauseMs: number): void {
  if (pauseMs < WORTH_SAYING_MS) return;
  show(PAGE.retrying.again(describeReason(code), Math.ceil(pauseMs / 1000)));
  // The timer of an earlier call must not clear the text of a later one.
  clearTimeout(over);
  over = setTimeout(() => show(""), pauseMs);
}

function describeReason(code: ClientError["code"]): string {
  switch (code) {
    case "rate_limited":
      return PAGE.retrying.limited;
    case "server_busy":
    case "gateway_unavailable":
    case "storage_unavailable":
      return PAGE.failed.busy.bare;
    default:
      return PAGE.failed.network.bare;
  }
}

/** The text about retried calls; empty when there are none. */
export function useRetryNotice(): string {
  const [text, setText] = useState("");
  useEffect(() => {
    show = setText;
  }, []);
  return text;
}
