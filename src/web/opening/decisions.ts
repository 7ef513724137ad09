import { useEffect, useRef, useState } from "preact/hooks";
import { waitForDecision } from "../../client/signing-in/approvals.ts";
import { MAX_WAIT_SECONDS } from "../../contract/limits.ts";
import { describeLinkFailure } from "../parts/failures.ts";
import { describeOpening } from "../parts/opening-failures.ts";
import { APPROVING } from "../texts/approving.ts";
import { PAGE } from "../texts/page.ts";
import { findKeptAsk } from "./approvals.ts";
import type { KeptAsk } from "./approvals.ts";
import type { OpenLink } from "./links.ts";

/** What is said about a wait that was cut off; it goes on by itself unless it offers to go on. */
export interface Problem {
  readonly text: string;
  readonly onRetry?: () => void;
}

/** The pause after an answer that isn't the server's, and after an opening that failed. */
const PAUSE_MS = 10_000;

/** Calls `work` whenever the page comes back into view or online. Returns a function that stops it. */
function onBack(work: () => void): () => void {
  const onSeen = () => void (document.hidden || work());
  document.addEventListener("visibilitychange", onSeen);
  addEventListener("online", work);
  return () => {
    document.removeEventListener("visibilitychange", onSeen);
    removeEventListener("online", work);
  };
}

/**
 * Opens the approved secret `id` by `open`, and again whenever that may help, until the ask was used or has ended: its
 * person may be away. Returns a function that stops it.
 */
export function keepOpening(id: string, open: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const attempt = async () => {
    clearTimeout(timer);
    if (findKeptAsk(id)) await open();
    clearTimeout(timer);
    if (!isStopped && findKeptAsk(id)) timer = setTimeout(() => void attempt(), PAUSE_MS);
  };
  const stop = onBack(() => void attempt());
  void attempt();
  return () => {
    isStopped = true;
    stop();
    clearTimeout(timer);
  };
}

/**
 * Waits for the decision about an ask, through outages, and anew whenever the page comes back into view or online:
 * phones cut off the calls of pages that nobody sees. Returns what keeps it from the answer; undefined while the server
 * answers.
 */
export function useDecision(
  { id, connect }: OpenLink,
  ask: KeptAsk | undefined,
  told: {
    /** Called with the end of the time in which the secret can be opened (RFC 3339). */
    readonly onApproved: (until: string) => void;
    readonly onRefused: () => void;
    /** Called with an error that ends the wait. Rejects with it when the wait may go on. */
    readonly onError: (error: unknown) => Promise<void>;
  },
): Problem | undefined {
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const last = useRef(told);
  last.current = told;
  useEffect(() => {
    if (!ask) return undefined;
    let controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = async () => {
      controller.abort();
      clearTimeout(timer);
      const { signal } = (controller = new AbortController());
      const how = {
        seconds: Infinity,
        stepSeconds: MAX_WAIT_SECONDS,
        signal,
        isUnderWay: true,
        onLost(error: unknown) {
          // The first answer after that is to come soon.
          how.stepSeconds = 1;
          const lost = describeLinkFailure(error).bare ?? PAGE.failed.bare;
          setProblem({ text: `${lost} ${APPROVING.approving.triesAgain}` });
        },
        async onStep() {
          how.stepSeconds = MAX_WAIT_SECONDS;
          setProblem(undefined);
        },
      };
      try {
        const answer = waitForDecision(connect({ signal }), id, ask.approvalToken, how);
        const { state, expires_at: until } = await answer;
        if (!signal.aborted) last.current[state === "approved" ? "onApproved" : "onRefused"](until);
      } catch (error) {
        if (signal.aborted) return;
        await last.current.onError(error).catch((left: unknown) => {
          setProblem({ text: describeOpening(left).text, onRetry: () => void wait() });
          timer = setTimeout(() => void wait(), PAUSE_MS);
        });
      }
    };
    const stop = onBack(() => void wait());
    void wait();
    return () => {
      stop();
      clearTimeout(timer);
      controller.abort();
      setProblem(undefined);
    };
  }, [ask]);
  return problem;
}
