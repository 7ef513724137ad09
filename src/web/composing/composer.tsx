import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { addFiles } from "../contents/dropped-files.ts";
import type { ChosenFiles } from "../contents/dropped-files.ts";
import { Complaint } from "../parts/complaint.tsx";
import { SECRET_ATTRIBUTES } from "../parts/secret-attributes.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import { complaintAbout, describeRefusals } from "./drafts.ts";
import type { ContentDraft } from "./drafts.ts";
import { FileRows } from "./file-rows.tsx";
import { FileTools } from "./file-tools.tsx";
import { LongTextRow, useLongText } from "./long-text.tsx";
import { usePageFiles } from "./page-files.ts";
import { RoomLeft } from "./room-left.tsx";

const { content: words } = SUBMITTING;

/** The field for text and files. Files can be dropped and pasted anywhere on the page. */
export function Composer(props: {
  readonly content: ContentDraft;
  readonly label: string;
  readonly placeholder: string;
  /** The server's ciphertext limit in bytes; undefined until known. */
  readonly maxBytes: number | undefined;
  /** True while the content is being sent, and cannot be changed. */
  readonly isBusy: boolean;
  /**
   * The form's own complaint, such as one about empty content. Complaints about the content itself are always shown.
   */
  readonly complaint: string;
  readonly onChange: (content: ContentDraft) => void;
  /** Additional tools beside those that add files. They can insert text at the cursor. */
  readonly tools?: (insert: (text: string) => void) => ComponentChildren;
}) {
  const { content, maxBytes, isBusy, onChange } = props;
  const [refusal, setRefusal] = useState("");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // A file may still be loading while the person types.
  const latest = useRef(content);
  latest.current = content;
  const change = (next: ContentDraft) => {
    setRefusal("");
    onChange(next);
  };
  const add = (chosen: ChosenFiles) => {
    if (isBusy) return;
    const { files, refusals } = addFiles(latest.current.files, chosen);
    change({ ...latest.current, files });
    setRefusal(describeRefusals(refusals));
  };
  const insert = (text: string) => {
    const { current: shown } = field;
    if (!shown) return;
    shown.setRangeText(text, shown.selectionStart, shown.selectionEnd, "end");
    change({ ...content, text: shown.value });
  };
  const { isHeld, hold } = useLongText(field, content.text, (text) => change({ ...latest.current, text }));
  const isOver = usePageFiles(!isBusy, content.files, add);
  const refocus = () => void requestAnimationFrame(() => field.current?.focus());
  const complaint = refusal || (complaintAbout(content, maxBytes) ?? props.complaint);
  return (
    <div class="field">
      <div class="label-row">
        {isHeld ? (
          <span class="label">{props.label}</span>
        ) : (
          <label class="label" for={id}>
            {props.label}
          </label>
        )}
        <RoomLeft content={content} maxBytes={maxBytes} />
      </div>
      <div class={isOver ? "composer is-over" : "composer"}>
        {isHeld ? (
          <LongTextRow
            text={content.text}
            isBusy={isBusy}
            label={props.label}
            onRemove={() => {
              change({ ...content, text: "" });
              refocus();
            }}
          />
        ) : (
          <textarea
            ref={field}
            id={id}
            rows={5}
            dir="auto"
            {...SECRET_ATTRIBUTES}
            placeholder={props.placeholder}
            readOnly={isBusy}
            value={content.text}
            aria-invalid={complaint !== ""}
            aria-describedby={`${id}-complaint`}
            onInput={({ currentTarget: { value: text } }) => {
              hold(text, text.length - content.text.length);
              change({ ...content, text });
            }}
          />
        )}
        <FileRows
          files={content.files}
          isBusy={isBusy}
          onChange={(files) => {
            change({ ...content, files });
            // The pressed button is gone, and the keyboard focus with it.
            refocus();
          }}
        />
        <div class="toolbar">
          <FileTools isBusy={isBusy} onAdd={add} />
          {!isHeld && props.tools?.(insert)}
          <span class="room not-on-phone">{isOver ? words.dropNow : words.drop}</span>
        </div>
      </div>
      <Complaint id={`${id}-complaint`} text={complaint} />
    </div>
  );
}
