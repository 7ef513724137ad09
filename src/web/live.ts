import { useEffect, useState } from "preact/hooks";
import { ClientError } from "../client/errors.ts";
import type { HttpClient } from "../client/http-client.ts";
import type { EventPage } from "../contract/events.ts";

const WAIT_SECONDS = 50;
const PAUSE_MS = 5000;

/** Something of the team's that is shown as it is now. */
export interface Live<T> {
  /** Undefined before it was read for the first time. */
  readonly value: T | undefined;
  readonly setValue: (change: (value: T | undefined) => T | undefined) => void;
  /** Whether nothing more can be read, because whoever reads is no longer signed in. */
  readonly isSignedOut: boolean;
}

/** Reads with `load`, and again whenever something has happened in the team, without polling. */
export function useLive<T>(client: HttpClient, load: () => Promise<T>): Live<T> {
  const [value, setValue] = useState<T | undefined>(undefined);
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    void follow(client, async () => setValue(await load()), controller.signal).catch(() => setSignedOut(true));
    return () => controller.abort();
  }, [client]);
  return { value, setValue, isSignedOut };
}

/** Rejects once nobody is signed in. */
async function follow(client: HttpClient, read: () => Promise<void>, signal: AbortSignal): Promise<void> {
  let after: string | undefined = "now";
  while (!signal.aborted) {
    try {
      // Where the events are now, before the reading that it belongs to.
      const isFirst = after === "now";
      const page: EventPage = await client.call("listEvents", {
        query: { after, limit: 100 },
        ...(isFirst ? {} : { waitSeconds: WAIT_SECONDS }),
      });
      after = page.next_cursor ?? undefined;
      if (isFirst || page.data.length > 0) await read();
    } catch (error) {
      if (error instanceof ClientError && error.kind === "credential") throw error;
      // The server is away for a moment: what happened meanwhile is read as soon as it is back.
      after = "now";
      await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
    }
  }
}
