import { useEffect, useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { createIdempotencyKey } from "../../client/secrets.ts";
import { onAnswer } from "../frame/answering.ts";
import { PAGE } from "../texts/page.ts";

/** The work of a form when it is submitted, one run at a time. */
export interface Task {
  /** The progress of the current run, as text; empty when idle. */
  readonly progress: string;
  /** The complaint about the last run; empty when there is none. */
  readonly complaint: string;
  /**
   * Runs `work`; ignored while another run is in progress. `work` reports its progress, and returns a complaint or
   * undefined.
   */
  run(work: (say: (progress: string) => void) => Promise<string | undefined>): Promise<void>;
  /** Clears the complaint, after its cause is gone. */
  readonly clear: () => void;
}

/**
 * Creates a task; `describe` puts errors into words. A complaint about an unreachable server is replaced once the
 * server answers.
 */
export function useTask(describe: (error: unknown) => string): Task {
  // Not the state, which a second click within one frame would not see changed.
  const isBusy = useRef(false);
  const [progress, setProgress] = useState("");
  const [complaint, setComplaint] = useState("");
  const [failedAt, setFailedAt] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (complaint === "" || failedAt === undefined) return undefined;
    return onAnswer((since) => since >= failedAt && setComplaint(PAGE.failed.back));
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

/** True for an error of an unreachable or unavailable server. */
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

/** A value to send, and the idempotency key of the call that sends it. */
export interface Made<T> {
  readonly value: T;
  readonly idempotencyKey: string;
  /** To be called after it has arrived: the same inputs make a new value from then on. */
  readonly done: () => void;
}

/**
 * Returns a function that makes a value, and returns the same value for the same inputs until `done` is called: a lost
 * answer must not send it twice. All arguments of the call belong to the inputs, because a key stands for one call.
 */
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
