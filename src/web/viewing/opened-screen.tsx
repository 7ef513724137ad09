import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Person } from "../../contract/persons.ts";
import { toFiles } from "../../crypto/contents.ts";
import type { ContentFile, DecodedContent } from "../../crypto/contents.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import type { NamedLine } from "../contents/lines.ts";
import { Screen } from "../frame/screens.tsx";
import { formatSize } from "../parts/formats.ts";
import { Warning } from "../parts/warning.tsx";
import { OPENING } from "../texts/opening.ts";
import { FilesBox } from "./files-box.tsx";
import { TextBox } from "./text-box.tsx";
import { TimeLeft } from "./time-left.tsx";
import type { ReplayableSecret } from "./time-left.tsx";

const { opened } = OPENING;

/** An opened secret, and the ways to show or erase it. */
export interface OpenedSecret extends ReplayableSecret {
  readonly content: DecodedContent;
  /** The sender according to the server; null when unknown. */
  readonly sender: Person | null;
  /** The fields of a form that was handed in; undefined for anything else. */
  readonly fields?: readonly NamedLine[] | undefined;
  /** A sentence to read before the content; undefined when there is none. */
  readonly remark?: string | undefined;
}

/**
 * The content of a secret, and how long it can be shown again. The browser asks before leaving while some of it was not
 * saved.
 */
export function OpenedScreen(props: {
  readonly secret: OpenedSecret;
  readonly onErased: () => void;
  /** A link back, when there is a screen to return to. */
  readonly children?: ComponentChildren;
}) {
  const { secret, onErased, children } = props;
  const { content, sender } = secret;
  const { text, files } = partsOf(content);
  const [isTextTaken, setTextTaken] = useState(text === undefined);
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
  const isTaken = isTextTaken && files.every(({ isFolder }, index) => isFolder || taken.has(index));
  useUnsaved(!isTaken, "secret");
  return (
    <Screen
      title={titleOf(text, files.filter(({ isFolder }) => !isFolder).length)}
      envelope="open"
      lede={describeOrigin(sender, sizeOf(files))}
    >
      {content.kind === "damaged" && <Warning>{opened.damaged}</Warning>}
      {secret.remark !== undefined && <Warning>{secret.remark}</Warning>}
      {text !== undefined && <TextBox text={text} fields={secret.fields} onTaken={() => setTextTaken(true)} />}
      {content.kind !== "text" && (
        <FilesBox
          files={files}
          isMain={text === undefined}
          taken={taken}
          onTaken={(indexes) => setTaken(new Set([...taken, ...indexes]))}
        />
      )}
      <TimeLeft secret={secret} isTaken={isTaken} onErased={onErased} />
      {children}
    </Screen>
  );
}

/** The size of several files; 0 for a single one, which says it itself. */
function sizeOf(files: readonly ContentFile[]): number {
  return files.length > 1 ? files.reduce((sum, file) => sum + file.bytes.length, 0) : 0;
}

/** The sender, and a size; null when there is neither. */
export function describeOrigin(sender: Person | null, bytes: number): ComponentChildren {
  if (!sender) return bytes === 0 ? null : formatSize(bytes);
  return (
    <>
      <bdi>{opened.from(sender.name ?? sender.address)}</bdi>
      {bytes > 0 && ` · ${formatSize(bytes)}`}
    </>
  );
}

interface Parts {
  readonly text: string | undefined;
  readonly files: readonly ContentFile[];
}

function partsOf(content: DecodedContent): Parts {
  switch (content.kind) {
    case "text":
      return { text: content.text, files: [] };
    case "both":
      return { text: content.text, files: content.files };
    case "files":
    case "binary":
    case "damaged":
      return { text: undefined, files: toFiles(content) };
  }
}

/** The title for a text, a number of files, or both. */
export function titleOf(text: string | undefined, files: number): string {
  if (text !== undefined) return files === 0 ? opened.text : OPENING.open.both(files);
  return files === 1 ? opened.file : OPENING.open.files(files);
}
