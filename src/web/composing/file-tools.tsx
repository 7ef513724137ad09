import { useRef } from "preact/hooks";
import { filesOfInput } from "../contents/dropped-files.ts";
import type { ChosenFiles } from "../contents/dropped-files.ts";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import { SUBMITTING } from "../texts/submitting.ts";

const { content: words } = SUBMITTING;

/** The buttons that add files, a folder, or on a phone a photo. */
export function FileTools(props: { readonly isBusy: boolean; readonly onAdd: (chosen: ChosenFiles) => void }) {
  return (
    <>
      <FileTool icon="clip" label={words.add} {...props} attributes={{ multiple: true }} />
      <FileTool
        icon="files"
        label={words.addFolder}
        look="not-on-phone"
        {...props}
        attributes={{ multiple: true, webkitdirectory: true }}
      />
      <FileTool
        icon="image"
        label={words.addPhoto}
        look="only-on-phone"
        {...props}
        attributes={{ accept: "image/*" }}
      />
    </>
  );
}

/** A custom button for the file field, which looks different in each browser. */
function FileTool(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly look?: string;
  readonly isBusy: boolean;
  readonly attributes: { readonly multiple?: boolean; readonly webkitdirectory?: boolean; readonly accept?: string };
  readonly onAdd: (chosen: ChosenFiles) => void;
}) {
  const { icon, label, look = "", isBusy, attributes, onAdd } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        {...attributes}
        onChange={(event) => {
          onAdd(filesOfInput(event.currentTarget.files ?? []));
          event.currentTarget.value = "";
        }}
      />
      <button
        type="button"
        class={`button tool ${look}`}
        aria-disabled={isBusy}
        onClick={() => isBusy || input.current?.click()}
      >
        <Icon name={icon} />
        {label}
      </button>
    </>
  );
}
