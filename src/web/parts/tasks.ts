import { useEffect, useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { createIdempotencyKey } from "../../client/secrets.ts";
import { onAnswer } from "../frame/answering.ts";
import { STRINGS } from "../strings.ts";

/** The work that a form does when it is sent, one at a time. */
export interface Task {
  /** Progress of the work that is under way, as a text; empty when idle. */
  readonly progress: string;
  /** The complaint about the last time; empty when there was none. */
  readonly complaint: string;
  /** Does `work` unless it is at it already. `work` says what it is at, and returns a complaint if there is one. */
  run(work: (say: (progress: string) => void) => Promise<string | undefined>): Promise<void>;
  /** Takes the complaint back, whose cause is gone. */
  readonly clear: () => void;
}

/** A task whose errors `describe` puts into words. Of a server that was away, nothing is said any more once it answers again. */
export function useTask(describe: (error: unknown) => string): Task {
  // Not the state, which a second click within one frame would not see changed.
  const isBusy = useRef(false);
  const [progress, setProgress] = useState("");
  const [complaint, setComplaint] = useState("");
  const [failedAt, setFailedAt] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (complaint === "" || failedAt === undefined) return undefined;
    return onAnswer((since) => since >= failedAt && setComplaint(STRINGS.failed.back));
  }, [complaint, failedAt]);
  return {
    progress,
    complaint,
    async run(work) {
      if (isBusy.current) return;
      isBusy.current = true;
      setComplaint("");
      setFailedAt(undefined);
      try {
        setComplaint((await work(setProgress)) ?? "");
      } catch (error) {
        setFailedAt(isAway(error) ? performance.now() : undefined);
        setComplaint(describe(error));
      } finally {
        isBusy.current = false;
        setProgress("");
      }
    },
    clear: () => setComplaint(""),
  };
}

/** True for the failure of a call that a server which is away has answered, or nobody. */
function isAway(error: unknown): boolean {
  return error instanceof ClientError && AWAY.has(error.code);
}

const AWAY: ReadonlySet<ClientError["code"]> = new Set([
  "connection_failed",
  "connection_lost",
  "timed_out",
  "gateway_unavailable",
  "server_busy",
  "storage_unavailable",
]);

/** Something that was made to be sent, and the key under which it is sent until it has arrived. */
export interface Made<T> {
  readonly value: T;
  readonly idempotencyKey: string;
  /** It has arrived: the next one is another one, also from the same inputs. */
  readonly done: () => void;
}

/** Returns a function that makes a value once for the same inputs, so that a retry doesn't send it twice. */
export function useOnce<T>(): (inputs: readonly unknown[], make: () => Promise<T>) => Promise<Made<T>> {
  const last = useRef<(Made<T> & { readonly inputs: readonly unknown[] }) | undefined>(undefined);
  return async (inputs, make) => {
    const known = last.current;
    if (known?.inputs.every((input, index) => input === inputs[index])) return known;
    const done = () => void (last.current = undefined);
    last.current = { inputs, value: await make(), idempotencyKey: createIdempotencyKey(), done };
    return last.current;
  };
}
