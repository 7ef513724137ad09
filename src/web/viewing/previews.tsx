import { useEffect, useState } from "preact/hooks";
import type { FilePreview } from "../contents/file-kinds.ts";
import { OPENING } from "../texts/opening.ts";
import { ExactText } from "./exact-text.tsx";

const { opened } = OPENING;

/**
 * The preview of a file: plain text, or a raster image. Other types are not passed to the browser, because they could
 * run code.
 */
export function Preview(props: { readonly name: string; readonly bytes: Uint8Array; readonly preview: FilePreview }) {
  const { name, bytes, preview } = props;
  switch (preview.kind) {
    case "text":
      return (
        <div class="preview" translate={false}>
          <pre class="secret-text" dir="auto" tabIndex={0} role="group" aria-label={opened.preview(name)}>
            <ExactText text={preview.text} />
          </pre>
        </div>
      );
    case "image":
      return <ImagePreview name={name} bytes={bytes} type={preview.type} />;
  }
}

function ImagePreview({
  name,
  bytes,
  type,
}: {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly type: string;
}) {
  const url = useBlobUrl(bytes, type);
  const [isBroken, setBroken] = useState(false);
  return (
    <div class="preview">
      {isBroken && <p class="preview-note">{opened.noPreview}</p>}
      {!isBroken && url && <img src={url} alt={opened.preview(name)} onError={() => setBroken(true)} />}
    </div>
  );
}

/** The object URL of bytes, revoked when the component unmounts. */
function useBlobUrl(bytes: Uint8Array, type: string): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}
