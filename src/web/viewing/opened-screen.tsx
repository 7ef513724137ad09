import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Person } from "../../contract/persons.ts";
import { toFiles } from "../../crypto/contents.ts";
import type { ContentFile, DecodedContent } from "../../crypto/contents.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { Screen } from "../frame/screens.tsx";
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
    <Screen title={titleOf(content)} lede={sender && <bdi>{opened.from(sender.name ?? sender.address)}</bdi>}>
      {content.kind === "damaged" && <Warning>{opened.damaged}</Warning>}
      {text !== undefined && <TextBox text={text} onTaken={() => setTextTaken(true)} />}
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

function titleOf(content: DecodedContent): string {
  const { text, files } = partsOf(content);
  if (text !== undefined) return opened.text;
  const count = files.filter(({ isFolder }) => !isFolder).length;
  return count === 1 ? opened.file : OPENING.open.files(count);
}
