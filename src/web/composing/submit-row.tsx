import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Complaint } from "../parts/complaint.tsx";
import { PAGE } from "../texts/page.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import type { Stage } from "./deliveries.ts";

const { content: words, delivery } = SUBMITTING;
const IS_APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** A form that focuses its first invalid field once complaints are shown. */
export interface CheckedForm {
  readonly form: RefObject<HTMLFormElement | null>;
  /** The number of submissions that failed their checks. */
  readonly attempts: number;
  readonly showWrong: () => undefined;
}

/** Creates a form whose invalid fields are marked with `aria-invalid`. */
export function useCheckedForm(): CheckedForm {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts === 0) return undefined;
    const frame = requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return () => cancelAnimationFrame(frame);
  }, [attempts]);
  return { form, attempts, showWrong: () => void setAttempts((count) => count + 1) };
}

/** The submit button of a form, below its complaint. */
export function SubmitRow(props: {
  readonly label: string;
  readonly stage: Stage | undefined;
  readonly complaint: string;
}) {
  const { label, stage, complaint } = props;
  return (
    <div class="stack-s">
      <Complaint text={complaint} />
      <div class="buttons">
        <button type="submit" class="button primary" aria-disabled={stage !== undefined}>
          <span aria-live="polite">{stage ? describe(stage) : label}</span>
        </button>
        <span class="aside not-on-phone">{words.shortcut(IS_APPLE ? "⌘ + Enter" : "Ctrl + Enter")}</span>
      </div>
    </div>
  );
}

/** Short enough for a button. */
function describe({ kind }: Stage): string {
  return kind === "waiting" ? PAGE.loading : delivery[kind];
}
