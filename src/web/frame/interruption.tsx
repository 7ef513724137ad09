import { PAGE } from "../texts/page.ts";
import { Icon } from "./icon.tsx";

/** The line above content that is not up to date. Without `onRetry`, the page tries again by itself. */
export function Interruption({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div class="notice warn" role="status">
      <Icon name="offline" />
      <div class="notice-row">
        <p>{text}</p>
        {onRetry && (
          <button type="button" class="button" onClick={onRetry}>
            {PAGE.failed.again}
          </button>
        )}
      </div>
    </div>
  );
}
