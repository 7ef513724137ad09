import type { ComponentChildren, RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { useTask } from "../parts/tasks.ts";

/** The changes of one part of the account, one at a time. */
export interface Changes {
  /** The ID of the passkey or session that is being changed; empty for none. */
  readonly busy: string;
  /** What was done last; empty for nothing. */
  readonly said: string;
  readonly complaint: string;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /**
   * Runs `change` for what has this ID. It returns what to say afterwards, or a complaint. With `takesAway`, the
   * pressed button is gone then, and the heading gets the focus.
   */
  run(
    id: string,
    change: () => Promise<{ readonly said: string } | { readonly complaint: string }>,
    options?: { readonly takesAway: boolean },
  ): void;
}

/** Creates the changes of a part. */
export function useChanges(): Changes {
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState("");
  const task = useTask((error) => describeSessionFailure(error).text);
  return {
    busy: task.progress,
    said,
    complaint: task.complaint,
    heading,
    run(id, change, { takesAway } = { takesAway: false }) {
      void task.run(async (say) => {
        say(id);
        setSaid("");
        const result = await change();
        if ("complaint" in result) return result.complaint;
        setSaid(result.said);
        if (takesAway) heading.current?.focus();
        return undefined;
      });
    },
  };
}

/** A part of the account, with what its last change came to. */
export function AccountPart(props: {
  readonly id: string;
  readonly title: string;
  readonly changes: Changes;
  readonly children: ComponentChildren;
}) {
  const { id, title, changes, children } = props;
  return (
    <section class="account-part stack-m" aria-labelledby={id}>
      <h2 id={id} ref={changes.heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <p role="status" class="hint said">
        {changes.said}
      </p>
      <Complaint text={changes.complaint} />
    </section>
  );
}
