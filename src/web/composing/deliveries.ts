import { useEffect, useRef, useState } from "preact/hooks";
import { useTask } from "../parts/tasks.ts";

/** A shorter delivery shows its progress only in the button. */
const PATIENCE_MS = 700;
/** The longest wait for the answer to a canceled upload that is complete. */
const ANSWER_PATIENCE_MS = 5000;

/** The progress of a delivery, which is encrypted and then sent. */
export type Stage =
  | { readonly kind: "encrypting" }
  /** Waiting for an answer of the server, before anything is sent. */
  | { readonly kind: "waiting" }
  /** `part` is between 0 and 1. `elapsedMs` counts from the start of the upload. */
  | { readonly kind: "sending"; readonly part: number; readonly elapsedMs: number }
  | { readonly kind: "canceling" };

/** The functions that a delivery passes to its work. */
export interface Deliverer {
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  /** Shows that the server's answer is awaited, until `answer` settles. For use before anything is sent. */
  readonly waitFor: <T>(answer: Promise<T>) => Promise<T>;
  /** To be called before the first byte is sent. Throws when the delivery was canceled. */
  readonly beginSending: () => void;
  readonly onUpload: (sent: number, total: number) => void;
  /** To be called once the answer has arrived. Throws when the delivery was canceled. */
  readonly endSending: () => void;
}

/** Encrypts and sends content, one delivery at a time. */
export interface Delivery {
  /** Undefined when idle. */
  readonly stage: Stage | undefined;
  /** True when the delivery takes long enough to need its own screen. */
  readonly isLong: boolean;
  /** The complaint about the last delivery; empty when there is none. */
  readonly complaint: string;
  readonly clear: () => void;
  /** Runs `work`, which returns a complaint or undefined. Ignored while another run is in progress. */
  readonly run: (work: (deliverer: Deliverer) => Promise<string | undefined>) => Promise<void>;
  readonly cancel: () => void;
}

/** The state of the delivery in progress. */
interface Run {
  readonly controller: AbortController;
  readonly isSent: boolean;
  /** True once the whole body was sent, so that the server may have stored it. */
  readonly isWhole: boolean;
  readonly isCanceled: boolean;
}

/** Creates a delivery. `describe` puts errors into words. */
export function useDelivery(options: {
  readonly describe: (error: unknown) => string;
  /**
   * The sentences after a cancellation: `before` anything was sent, and `after`, when it may have arrived. A function
   * undoes the delivery, and returns its sentence.
   */
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
    // The server may be storing a complete upload. Undoing it is certain only after the server's answer.
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

/** Returns a function that turns byte counts into stages. It starts again when a call is retried. */
function createMeter(show: (stage: Stage) => void): (sent: number, total: number) => void {
  let began = performance.now();
  let last = 0;
  return (sent, total) => {
    if (sent < last) began = performance.now();
    last = sent;
    show({ kind: "sending", part: sent / Math.max(1, total), elapsedMs: performance.now() - began });
  };
}

/** True once `isSo` has been true for PATIENCE_MS. */
export function useLater(isSo: boolean): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    setLater(false);
    if (!isSo) return undefined;
    const timer = setTimeout(() => setLater(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isSo && isLater;
}
