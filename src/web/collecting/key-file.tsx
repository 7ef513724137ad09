import { useRef, useState } from "preact/hooks";
import { linkKindOf } from "../../contract/links.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import { findPastedLink } from "../browser/links.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import { PAGE } from "../texts/page.ts";

const { keyFile: words } = ACTIVITY.collect;

/** In bytes: more than any backup of a key. */
const MAX_BYTES = 65_536;

/** Takes the key of the request `id` from the file in which it was saved, and loads the page again with it. */
export function KeyFile({ id }: { readonly id: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [complaint, setComplaint] = useState("");
  const read = async (file: File) => {
    const text = await file
      .slice(0, MAX_BYTES)
      .text()
      .catch(() => undefined);
    if (text === undefined) return setComplaint(words.unreadable);
    const link = findBackup(text);
    if (!link) return setComplaint(describeOther(text));
    if (link.id !== id) return setComplaint(words.other);
    location.hash = link.fragment;
    location.reload();
    return undefined;
  };
  return (
    <div class="stack-s">
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => input.current?.click()}>
          <Icon name="key" />
          {words.choose}
        </button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.choose}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // So that the same file can be chosen again.
          currentTarget.value = "";
          if (file) void read(file);
        }}
      />
      <Complaint text={complaint} />
      <p class="hint">{words.stays}</p>
    </div>
  );
}

/** The complaint about a text without a backup link, which may have a link of another kind. */
function describeOther(text: string): string {
  const kind = linkKindOf(findPastedLink(text) ?? "");
  return kind === undefined || kind === "backup" ? words.noKey : `${PAGE.paste.kinds[kind]} ${words.noKey}`;
}

/** The backup link in a text, as its request and its fragment; undefined when there is none. */
function findBackup(text: string): { readonly id: string; readonly fragment: string } | undefined {
  const link = findPastedLink(text);
  if (link === undefined) return undefined;
  try {
    return { id: parseBackupLink(link).id, fragment: new URL(link).hash.slice(1) };
  } catch {
    return undefined;
  }
}
