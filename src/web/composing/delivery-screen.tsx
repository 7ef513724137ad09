import { Icon } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import { formatDuration, formatSize } from "../parts/formats.ts";
import { PAGE } from "../texts/page.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import type { Stage } from "./deliveries.ts";
import { bytesOf } from "./drafts.ts";
import type { ContentDraft } from "./drafts.ts";
import { FileRow } from "./file-rows.tsx";
import { TextRow } from "./long-text.tsx";

const { content: words, delivery } = SUBMITTING;
const MAX_ROWS = 10;
/** An earlier estimate would be unreliable. */
const MIN_ELAPSED_MS = 1500;

/** The screen while something large is encrypted and sent. */
export function DeliveryScreen(props: {
  readonly stage: Stage;
  readonly content: ContentDraft;
  readonly onCancel: () => void;
}) {
  const { stage, content, onCancel } = props;
  const bytes = bytesOf(content);
  const part = stage.kind === "sending" ? stage.part : 0;
  if (stage.kind === "canceling") return <Screen title={delivery.canceling} lede={delivery.cancelingText} />;
  const isSending = stage.kind === "sending";
  return (
    <Screen title={delivery[stage.kind]} lede={isSending ? delivery.sendingText : delivery.encryptingText}>
      <div class="stack-s">
        <progress class="progress" max={100} value={Math.floor(100 * part)} aria-label={delivery.progress} />
        <p class="progress-row">
          <span>{words.used(formatSize(part * bytes), formatSize(bytes))}</span>
          <span>{isSending && describeRest(stage)}</span>
        </p>
      </div>
      <ContentRows content={content} />
      <div class="buttons">
        <button type="button" class="button" onClick={onCancel}>
          {PAGE.cancel}
        </button>
      </div>
    </Screen>
  );
}

/** What is sent, a row each. */
export function ContentRows({ content: { text, files } }: { readonly content: ContentDraft }) {
  const rest = files.length - MAX_ROWS;
  return (
    <ul class="fit">
      {text !== "" && <TextRow text={text} />}
      {files.slice(0, MAX_ROWS).map((file) => (
        <FileRow key={file.name} file={file} />
      ))}
      {rest > 0 && (
        <li class="file">
          <Icon name="files" />
          <span>{words.moreFiles(rest)}</span>
        </li>
      )}
    </ul>
  );
}

/** The remaining time at the average speed. At 100% the server still has to answer. */
function describeRest({ part, elapsedMs }: Extract<Stage, { kind: "sending" }>): string {
  if (part >= 1) return delivery.waiting;
  if (part === 0 || elapsedMs < MIN_ELAPSED_MS) return "";
  return describeTimeLeft((elapsedMs * (1 - part)) / part / 1000);
}

/** Says how much time is left, roughly. */
export function describeTimeLeft(seconds: number): string {
  return delivery.left(formatDuration(roundTime(seconds)));
}

/** Rounds a time as people say it: minutes need no seconds, and hours no minutes. */
function roundTime(seconds: number): number {
  if (seconds < 10) return Math.max(1, Math.ceil(seconds));
  if (seconds < 50) return Math.ceil(seconds / 5) * 5;
  const unit = seconds < 5400 ? 60 : 3600;
  return Math.ceil(seconds / unit) * unit;
}
