import { useRef, useState } from "preact/hooks";
import { createIdempotencyKey } from "../../client/secrets.ts";

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

/** A task whose errors `describe` puts into words. */
export function useTask(describe: (error: unknown) => string): Task {
  // Not the state, which a second click within one frame would not see changed.
  const isBusy = useRef(false);
  const [progress, setProgress] = useState("");
  const [complaint, setComplaint] = useState("");
  return {
    progress,
    complaint,
    async run(work) {
      if (isBusy.current) return;
      isBusy.current = true;
      setComplaint("");
      try {
        setComplaint((await work(setProgress)) ?? "");
      } catch (error) {
        setComplaint(describe(error));
      } finally {
        isBusy.current = false;
        setProgress("");
      }
    },
    clear: () => setComplaint(""),
  };
}

/** Something that was made to be sent, and the key under which it is sent until it has arrived. */
export interface Made<T> {
  readonly value: T;
  readonly idempotencyKey: string;
  /** It has arrived: the next one is another one, also from the same inputs. */
  readonly done: () => void;
}

/**
 * Returns what makes something, and the same again for the same inputs until it is done: an answer that was lost must not
 * send it twice. Whatever is sent along belongs to the inputs, too: a key stands for one call.
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
