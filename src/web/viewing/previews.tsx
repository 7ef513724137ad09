import { useEffect, useState } from "preact/hooks";
import type { FilePreview } from "../contents/file-kinds.ts";
import { STRINGS } from "../strings.ts";

const { opened } = STRINGS;
/** Has the viewers of Chromium and of Firefox show the pages alone: small pictures of them would take half of the frame. */
const NO_SIDEBAR = "#navpanes=0&pagemode=none";

/** A look at a file. Nothing in it can run: its type is one of a few that the page has chosen itself. */
export function Preview(props: { readonly name: string; readonly bytes: Uint8Array; readonly preview: FilePreview }) {
  const { name, bytes, preview } = props;
  switch (preview.kind) {
    case "text":
      return (
        <div class="preview" translate={false}>
          <pre class="secret-text" dir="auto" tabIndex={0} role="group" aria-label={opened.preview(name)}>
            {preview.text}
          </pre>
        </div>
      );
    case "image":
      return <ImagePreview name={name} bytes={bytes} type={preview.type} />;
    case "pdf":
      return <PdfPreview name={name} bytes={bytes} />;
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

/**
 * The PDF in the browser's own viewer, which is no document of this site: it reaches nothing here, and the policy of the page
 * lets the frame have nothing but what is in memory. In a frame with `sandbox` Chromium starts no viewer at all.
 * Nobody can tell whether the viewer shows anything: what it does with a broken file is its own.
 */
function PdfPreview({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
  const url = useBlobUrl(bytes, "application/pdf");
  return (
    <div class="preview">
      {url && <iframe src={`${url}${NO_SIDEBAR}`} referrerpolicy="no-referrer" allow="" title={opened.preview(name)} />}
      <p class="preview-note">{opened.blankPreview}</p>
    </div>
  );
}

/** The address of bytes in the memory of the browser, for as long as the component is there. */
function useBlobUrl(bytes: Uint8Array, type: string): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}
