import { useEffect, useRef, useState } from "preact/hooks";
import { filesOfDrop, filesOfPaste } from "../contents/dropped-files.ts";
import type { ChosenFile, ChosenFiles } from "../contents/dropped-files.ts";

/**
 * Passes files dropped or pasted anywhere on the page to `onFiles`, while `isWanted` is true. `present` is used to name
 * pasted pictures. Returns true while files are dragged over the page.
 */
export function usePageFiles(
  isWanted: boolean,
  present: readonly ChosenFile[],
  onFiles: (chosen: ChosenFiles) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef({ present, onFiles });
  latest.current = { present, onFiles };
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const give = (chosen: ChosenFiles) => latest.current.onFiles(chosen);
    addEventListener("dragover", ({ dataTransfer }) => setOver(hasFiles(dataTransfer)), options);
    addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? setOver(false), options);
    addEventListener(
      "drop",
      ({ dataTransfer }) => {
        setOver(false);
        if (dataTransfer && hasFiles(dataTransfer)) void filesOfDrop(dataTransfer).then(give);
      },
      options,
    );
    addEventListener(
      "paste",
      (event) => {
        const pasted = event.clipboardData && filesOfPaste(event.clipboardData, latest.current.present);
        if (!pasted) return;
        event.preventDefault();
        void pasted.then(give);
      },
      options,
    );
    return () => {
      controller.abort();
      setOver(false);
    };
  }, [isWanted]);
  return isOver;
}

function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes("Files") ?? false;
}
