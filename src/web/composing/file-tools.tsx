import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { filesOfInput } from "../contents/dropped-files.ts";
import type { ChosenFiles } from "../contents/dropped-files.ts";
import { Drawing, Icon } from "../frame/icon.tsx";
import { SUBMITTING } from "../texts/submitting.ts";

const CLIP =
  "m19.5 11.5-7.75 7.75a4.75 4.75 0 0 1-6.75-6.75l8-8a3.15 3.15 0 0 1 4.5 4.5l-8 8a1.6 1.6 0 0 1-2.25-2.25l7.25-7.25";

const { content: words } = SUBMITTING;

/** The buttons that add files, a folder, or on a phone a photo. */
export function FileTools(props: { readonly isBusy: boolean; readonly onAdd: (chosen: ChosenFiles) => void }) {
  return (
    <>
      <FileTool icon={<Drawing shape={CLIP} />} label={words.add} {...props} attributes={{ multiple: true }} />
      <FileTool
        icon={<Icon name="files" />}
        label={words.addFolder}
        look="not-on-phone"
        {...props}
        attributes={{ multiple: true, webkitdirectory: true }}
      />
      <FileTool
        icon={<Icon name="image" />}
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
  readonly icon: ComponentChildren;
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
        {icon}
        {label}
      </button>
    </>
  );
}
