import { useEffect } from "preact/hooks";
import { STRINGS } from "../strings.ts";

/** How many things on the page would be lost with it. */
let unsaved = 0;

/** Has the browser ask before the page is left, as long as something on it would be lost. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    unsaved++;
    return () => {
      removeEventListener("beforeunload", ask);
      unsaved--;
    };
  }, [isUnsaved]);
}

/** Asks, where something would be lost, whether to go on. */
export function mayLose(): boolean {
  return unsaved === 0 || confirm(STRINGS.leave);
}
