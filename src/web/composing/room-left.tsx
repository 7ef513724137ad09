import { formatLimit, formatSize } from "../parts/formats.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import { bytesOf, roomFor } from "./drafts.ts";
import type { ContentDraft } from "./drafts.ts";

const { content: words } = SUBMITTING;

/** The part of the room from which on the size matters. */
const NEAR = 0.5;

/**
 * The server's limit, and how much of it the content takes once that is half of it; nothing until the limit is known.
 */
export function RoomLeft(props: { readonly content: ContentDraft; readonly maxBytes: number | undefined }) {
  const { content, maxBytes } = props;
  if (maxBytes === undefined) return null;
  const room = roomFor(maxBytes);
  const limit = formatLimit(room);
  const used = bytesOf(content);
  if (used < NEAR * room) return <span class="hint">{words.room(limit)}</span>;
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
