import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useUnsaved } from "../browser/unsaved.ts";
import { Icon } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import type { StoredContent } from "../large/large-openings.ts";
import { Complaint } from "../parts/complaint.tsx";
import { formatSize } from "../parts/formats.ts";
import { IconButton } from "../parts/icon-button.tsx";
import { printable } from "../parts/printable.ts";
import { useTask } from "../parts/tasks.ts";
import { LARGE_OPENING } from "../texts/large-opening.ts";
import { OPENING } from "../texts/opening.ts";
import { download } from "./downloads.ts";
import { FileName, listRows } from "./files-box.tsx";
import { describeOrigin, titleOf } from "./opened-screen.tsx";
import type { OpenedSecret } from "./opened-screen.tsx";
import { TextBox } from "./text-box.tsx";
import { TimeLeft } from "./time-left.tsx";

const { opened: words } = OPENING;
const { largeOpening: large } = LARGE_OPENING;

/** An opened secret whose files are on the disk. */
export interface LargeSecret extends Omit<OpenedSecret, "content"> {
  readonly content: StoredContent;
}

/** The files that are listed at first. */
const FIRST_ROWS = 10;
/** With more files than this, all of them come as a ZIP. */
const MANY_FILES = 5;
/** The browser starts downloads one after another. */
const BETWEEN_MS = 500;

/** The files of a large secret, each to be downloaded, and how long it can be shown again. */
export function LargeScreen(props: {
  readonly secret: LargeSecret;
  readonly onErased: () => void;
  /** A link back, when there is a screen to return to. */
  readonly children?: ComponentChildren;
}) {
  const { secret, onErased, children } = props;
  const { files, fileAt, zip } = secret.content;
  const text = files.find((file) => file.text !== undefined)?.text;
  const rows = listRows(files).filter((index) => files[index]?.text === undefined);
  const [isTextTaken, setTextTaken] = useState(text === undefined);
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
  const [areAllListed, setAllListed] = useState(false);
  const areMany = rows.length > MANY_FILES;
  const one = useTask(() => large.gone);
  const all = useTask(() => (areMany ? words.notZipped : large.gone));
  const isTaken = isTextTaken && rows.every((index) => taken.has(index));
  useUnsaved(!isTaken, "secret");
  const save = async (index: number) => {
    const file = files[index];
    if (!file) return;
    download(file.name, await fileAt(index));
    setTaken((before) => new Set([...before, index]));
  };
  const saveAll = () =>
    all.run(async (say) => {
      if (areMany) {
        say(large.zipping(0));
        download(
          words.archive,
          await zip((done) => say(large.zipping(Math.min(99, Math.floor((100 * done) / bytes))))),
        );
        setTaken(new Set(rows));
        // It is in the ZIP, too.
        setTextTaken(true);
        return undefined;
      }
      for (const [position, index] of rows.entries()) {
        if (position > 0) await new Promise((resolve) => void setTimeout(resolve, BETWEEN_MS));
        await save(index);
      }
      return undefined;
    });
  const saveOne = (index: number) =>
    one.run(async () => {
      await save(index);
      return undefined;
    });
  const listed = areAllListed ? rows : rows.slice(0, FIRST_ROWS);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <Screen
      title={titleOf(text, rows.length)}
      envelope="open"
      lede={describeOrigin(secret.sender, rows.length > 1 ? bytes : 0)}
    >
      {text !== undefined && <TextBox text={text} onTaken={() => setTextTaken(true)} />}
      <ul class="fit">
        {listed.map((index) => {
          const { name = "", size = 0 } = files[index] ?? {};
          const shown = printable(name);
          return (
            <li key={index} class="file">
              <Icon name="file" />
              <span>
                <FileName name={shown} />
                <span class="file-meta">{taken.has(index) ? words.saved(formatSize(size)) : formatSize(size)}</span>
              </span>
              <span class="file-tools">
                <IconButton
                  icon={taken.has(index) ? "check" : "download"}
                  label={words.download(shown)}
                  onClick={() => void saveOne(index)}
                />
              </span>
            </li>
          );
        })}
      </ul>
      {rows.length === 0 && text === undefined && <p>{words.noFiles}</p>}
      {listed.length < rows.length && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => setAllListed(true)}>
            {words.showMore(rows.length - listed.length)}
          </button>
        </div>
      )}
      {rows.length > 0 && (
        <div class="buttons">
          <button
            type="button"
            class="button primary"
            aria-disabled={all.progress !== ""}
            onClick={() => void saveAll()}
          >
            <Icon name="download" />
            {all.progress || (rows.length === 1 ? words.save : areMany ? words.saveAll : large.saveAll)}
          </button>
          <Complaint text={all.complaint || one.complaint} />
        </div>
      )}
      <p class="hint">{large.stored}</p>
      <TimeLeft secret={secret} isTaken={isTaken} onErased={onErased} />
      {children}
    </Screen>
  );
}
