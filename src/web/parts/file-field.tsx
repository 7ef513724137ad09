import { useRef, useState } from "preact/hooks";
import { hasTooManyEntries } from "../../crypto/contents.ts";
import { STRINGS } from "../strings.ts";
import { formatSize } from "./formats.ts";

const { content: words } = STRINGS;

/** Files, chosen or dropped. */
export function FileField(props: {
  readonly files: readonly File[];
  readonly isBusy: boolean;
  readonly onChange: (files: readonly File[]) => void;
}) {
  const { files, isBusy, onChange } = props;
  const [isOver, setOver] = useState(false);
  const [complaint, setComplaint] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const add = (list: FileList | null) => {
    if (isBusy) return undefined;
    const names = new Set(files.map(({ name }) => name));
    // Of two files of one name only one could be written where they arrive, and neither may go unsaid.
    const twice = [...(list ?? [])].filter(({ name }) => names.has(name) || !names.add(name));
    if (hasTooManyEntries([...names])) return setComplaint(words.tooMany);
    setComplaint(twice[0] ? words.sameName(twice[0].name) : "");
    return onChange([...files, ...[...(list ?? [])].filter((file) => !twice.includes(file))]);
  };
  const remove = (file: File) => {
    if (isBusy) return;
    setComplaint("");
    onChange(files.filter((each) => each !== file));
    // The button that was pressed is gone, and the keyboard would be nowhere.
    input.current?.focus();
  };
  return (
    <div
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer?.files ?? null);
      }}
    >
      <label>
        {words.files}
        <span class="hint">{words.drop}</span>
        <input
          ref={input}
          type="file"
          multiple
          disabled={isBusy}
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
      <p role="alert" class="complaint">
        {complaint}
      </p>
      {files.length > 0 && (
        <ul class="files">
          {files.map((file) => (
            <li key={file.name}>
              <span>
                <bdi>{file.name}</bdi> <small>{formatSize(file.size)}</small>
              </span>
              <button type="button" class="plain" aria-label={words.remove(file.name)} onClick={() => remove(file)}>
                {words.removeShort}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
