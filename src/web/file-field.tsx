import { useState } from "preact/hooks";
import { formatSize } from "./formats.ts";
import { STRINGS } from "./strings.ts";

const { submit } = STRINGS;

/** Files, chosen or dropped. */
export function FileField(props: {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}) {
  const { files, onChange } = props;
  const [isOver, setOver] = useState(false);
  const add = (more: FileList | null) => {
    const names = new Set([...(more ?? [])].map(({ name }) => name));
    onChange([...files.filter(({ name }) => !names.has(name)), ...(more ?? [])]);
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
        {submit.files}
        <span class="hint">{submit.drop}</span>
        <input
          type="file"
          multiple
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {files.length > 0 && (
        <ul class="files">
          {files.map((file) => (
            <li key={file.name}>
              <span>
                <bdi>{file.name}</bdi> <small>{formatSize(file.size)}</small>
              </span>
              <button
                type="button"
                class="plain"
                aria-label={submit.remove(file.name)}
                onClick={() => onChange(files.filter((each) => each !== file))}
              >
                {submit.removeShort}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
