import { contentBytesOf } from "../../client/limits.ts";
import { isBlank } from "../../crypto/contents.ts";
import { STRINGS } from "../strings.ts";
import { FileField } from "./file-field.tsx";
import { formatSize } from "./formats.ts";

const { content: words } = STRINGS;

/** The content of a form, as it was typed or chosen. */
export interface ContentDraft {
  readonly text: string;
  readonly files: readonly File[];
}

export const NO_CONTENT: ContentDraft = { text: "", files: [] };

/** A field for text, and one for files. */
export function ContentFields(props: {
  readonly content: ContentDraft;
  /** While it is being sent, nothing of it can be changed. */
  readonly isBusy: boolean;
  readonly onChange: (content: ContentDraft) => void;
}) {
  const { content, isBusy, onChange } = props;
  return (
    <>
      <label>
        {words.text}
        <textarea
          rows={4}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          readOnly={isBusy}
          value={content.text}
          onInput={(event) => onChange({ ...content, text: event.currentTarget.value })}
        />
      </label>
      <FileField files={content.files} isBusy={isBusy} onChange={(files) => onChange({ ...content, files })} />
    </>
  );
}

/** True when nothing was typed or chosen. */
export function isEmpty({ text, files }: ContentDraft): boolean {
  return text === "" && files.length === 0;
}

/** The complaint about `content` before anything is done with it; undefined when there is none. */
export function complaintAbout(content: ContentDraft): string | undefined {
  if (content.text !== "" && content.files.length > 0) return words.both;
  if (content.files.length === 0 && isBlank(content.text)) return words.empty;
  return undefined;
}

/** True when `content` cannot fit into `maxBytes` of ciphertext, known before it is read. */
export function isSurelyTooLarge({ text, files }: ContentDraft, maxBytes: number): boolean {
  const bytes = files.length === 0 ? new Blob([text]).size : files.reduce((sum, { size }) => sum + size, 0);
  return bytes > contentBytesOf(maxBytes).most;
}

/** The complaint about content that is too large for a server which takes `maxBytes` of ciphertext. */
export function tooLarge(maxBytes: number): string {
  return words.tooLarge(formatSize(contentBytesOf(maxBytes).most));
}
