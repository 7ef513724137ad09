import { useEffect, useRef, useState } from "preact/hooks";
import { useTask } from "../parts/tasks.ts";

/** Whatever is over sooner is said by the button alone. */
const PATIENCE_MS = 700;
/** The longest that somebody who has canceled waits for the answer to what the server has whole. */
const ANSWER_PATIENCE_MS = 5000;

/** The progress of something that is encrypted and then sent. */
export type Stage =
  | { readonly kind: "encrypting" }
  /** For an answer of the server, before anything is sent. */
  | { readonly kind: "waiting" }
  /** As a part of 1; with the time since it began, in milliseconds. */
  | { readonly kind: "sending"; readonly part: number; readonly elapsedMs: number }
  | { readonly kind: "canceling" };

/** The side of a delivery that its work sees. */
export interface Deliverer {
  /** Aborted when somebody cancels. */
  readonly signal: AbortSignal;
  /** Has it said that the server's answer is waited for, while nothing has been sent, until `answer` is there. */
  readonly waitFor: <T>(answer: Promise<T>) => Promise<T>;
  /** To be told when the first byte may leave this browser. Throws when it has been canceled. */
  readonly beginSending: () => void;
  readonly onUpload: (sent: number, total: number) => void;
  /** To be told when the answer is there. Throws when it has been canceled. */
  readonly endSending: () => void;
}

/** Something that is encrypted and sent, one at a time. */
export interface Delivery {
  /** Undefined when idle. */
  readonly stage: Stage | undefined;
  /** True when it takes so long that it has a screen of its own. */
  readonly isLong: boolean;
  /** The complaint about the last time; empty when there was none. */
  readonly complaint: string;
  readonly clear: () => void;
  /** Does `work` unless it is at it already; it returns a complaint if there is one. */
  readonly run: (work: (deliverer: Deliverer) => Promise<string | undefined>) => Promise<void>;
  readonly cancel: () => void;
}

/** The state of what is under way. */
interface Run {
  readonly controller: AbortController;
  readonly isSent: boolean;
  /** True once all of it has left this browser, so that it may be stored. */
  readonly isWhole: boolean;
  readonly isCanceled: boolean;
}

/** A delivery whose errors `describe` puts into words. */
export function useDelivery(options: {
  readonly describe: (error: unknown) => string;
  /** The sentences after a cancellation: before anything was sent, and later, when it may have arrived. */
  readonly canceled: { readonly before: string; readonly after: string | (() => Promise<string>) };
}): Delivery {
  const { describe, canceled } = options;
  const [stage, setStage] = useState<Stage | undefined>(undefined);
  const current = useRef<Run>(newRun());
  const change = (changes: Partial<Run>) => void (current.current = { ...current.current, ...changes });
  const task = useTask((error) => (current.current.isCanceled ? canceled.before : describe(error)));
  const run: Delivery["run"] = (work) =>
    task.run(async () => {
      current.current = newRun();
      const { signal } = current.current.controller;
      setStage({ kind: "encrypting" });
      const show = (next: Stage) => void (current.current.isCanceled || setStage(next));
      const say = createMeter(show);
      const waitFor: Deliverer["waitFor"] = async (answer) => {
        show({ kind: "waiting" });
        try {
          return await answer;
        } finally {
          show({ kind: "encrypting" });
        }
      };
      const beginSending = () => {
        signal.throwIfAborted();
        change({ isSent: true });
        say(0, 1);
      };
      const onUpload = (sent: number, total: number) => {
        if (sent >= total) change({ isWhole: true });
        say(sent, total);
      };
      const endSending = () => {
        if (current.current.isCanceled) throw new Error("canceled");
      };
      try {
        return await work({ signal, waitFor, beginSending, onUpload, endSending });
      } catch (error) {
        const { isCanceled, isSent } = current.current;
        if (!isCanceled || !isSent) throw error;
        return await (typeof canceled.after === "string" ? canceled.after : canceled.after());
      } finally {
        setStage(undefined);
      }
    });
  const cancel = () => {
    const { controller, isSent, isWhole, isCanceled } = current.current;
    if (isCanceled) return;
    change({ isCanceled: true });
    const canUndo = isSent && typeof canceled.after !== "string";
    if (canUndo) setStage({ kind: "canceling" });
    // What the server has whole it may be storing: only once it has answered, nothing more comes of it.
    if (canUndo && isWhole) setTimeout(() => controller.abort(), ANSWER_PATIENCE_MS);
    else controller.abort();
  };
  const isLong = useLater(stage !== undefined);
  const { complaint, clear } = task;
  return { stage, isLong, complaint, clear, run, cancel };
}

function newRun(): Run {
  return { controller: new AbortController(), isSent: false, isWhole: false, isCanceled: false };
}

/** Returns what turns bytes into a stage; a call that is tried again begins anew. */
function createMeter(show: (stage: Stage) => void): (sent: number, total: number) => void {
  let began = performance.now();
  let last = 0;
  return (sent, total) => {
    if (sent < last) began = performance.now();
    last = sent;
    show({ kind: "sending", part: sent / Math.max(1, total), elapsedMs: performance.now() - began });
  };
}

/** True once something has been so for a while. */
function useLater(isSo: boolean): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    setLater(false);
    if (!isSo) return undefined;
    const timer = setTimeout(() => setLater(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isSo && isLater;
}
