import { Complaint } from "../parts/complaint.tsx";
import { STRINGS } from "../strings.ts";
import type { Stage } from "./deliveries.ts";

const { content: words, delivery } = STRINGS;
const IS_APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** Sends a form by Ctrl + Enter, or by Command + Enter, wherever in it the cursor is. */
export function submitByKeys(event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** The button at the end of a form, and above it what went wrong. */
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
        <button type="submit" class="button primary wide-on-phone" aria-disabled={stage !== undefined}>
          <span aria-live="polite">{stage ? delivery[stage.kind] : label}</span>
        </button>
        <span class="aside not-on-phone">{words.shortcut(IS_APPLE ? "⌘ + Enter" : "Ctrl + Enter")}</span>
      </div>
    </div>
  );
}
