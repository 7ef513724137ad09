import { useEffect, useRef, useState } from "preact/hooks";
import { useTask } from "../parts/tasks.ts";

/** Whatever is over sooner is said by the button alone. */
const PATIENCE_MS = 700;

/** The progress of something that is encrypted and then sent. */
export type Stage =
  | { readonly kind: "encrypting" }
  /** As a part of 1; with the time since it began, in milliseconds. */
  | { readonly kind: "sending"; readonly part: number; readonly elapsedMs: number };

/** The side of a delivery that its work sees. */
export interface Deliverer {
  /** Aborted when somebody cancels. */
  readonly signal: AbortSignal;
  /** To be told when the first byte may leave this browser. Throws when it has been canceled. */
  readonly beginSending: () => void;
  readonly onUpload: (sent: number, total: number) => void;
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

/** A delivery whose errors `describe` puts into words. */
export function useDelivery(options: {
  readonly describe: (error: unknown) => string;
  /** The sentences after it was canceled: before anything was sent, and later, when it may have arrived. */
  readonly canceled: { readonly before: string; readonly after: string };
}): Delivery {
  const { describe, canceled } = options;
  const [stage, setStage] = useState<Stage | undefined>(undefined);
  const current = useRef({ controller: new AbortController(), isSent: false });
  const task = useTask((error) => {
    const { controller, isSent } = current.current;
    if (!controller.signal.aborted) return describe(error);
    return isSent ? canceled.after : canceled.before;
  });
  const run: Delivery["run"] = (work) =>
    task.run(async () => {
      const controller = new AbortController();
      const { signal } = controller;
      current.current = { controller, isSent: false };
      const say = createMeter(setStage);
      setStage({ kind: "encrypting" });
      const beginSending = () => {
        signal.throwIfAborted();
        current.current.isSent = true;
        say(0, 1);
      };
      try {
        return await work({ signal, beginSending, onUpload: say });
      } finally {
        setStage(undefined);
      }
    });
  const isLong = useLater(stage !== undefined);
  const { complaint, clear } = task;
  return { stage, isLong, complaint, clear, run, cancel: () => current.current.controller.abort() };
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
