import { formatLimit, formatSize } from "../parts/formats.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import { bytesOf, isEmpty, roomFor } from "./drafts.ts";
import type { ContentDraft } from "./drafts.ts";

const { content: words } = SUBMITTING;

/** The size of the content against the server's limit; nothing until the limit is known. */
export function RoomLeft(props: { readonly content: ContentDraft; readonly maxBytes: number | undefined }) {
  const { content, maxBytes } = props;
  if (maxBytes === undefined) return null;
  const room = roomFor(maxBytes);
  const limit = formatLimit(room);
  if (isEmpty(content)) return <span class="hint">{words.room(limit)}</span>;
  const used = bytesOf(content);
  return (
    <span class="hint room-left">
      <progress
        class={used > room ? "progress thin over" : "progress thin"}
        max={room}
        value={used}
        aria-hidden="true"
      />
      {words.used(formatSize(used), limit)}
    </span>
  );
}
