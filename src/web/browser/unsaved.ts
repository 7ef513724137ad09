import { useEffect } from "preact/hooks";
import { STRINGS } from "../strings.ts";

/** The number of things on the page that would be lost with it. */
let unsaved = 0;
let isDiscarded = false;

/** Has the browser ask before the page is left, as long as something on it would be lost. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => isDiscarded || event.preventDefault();
    addEventListener("beforeunload", ask);
    unsaved++;
    return () => {
      removeEventListener("beforeunload", ask);
      unsaved--;
    };
  }, [isUnsaved]);
}

/** Has the browser ask nothing any more: what is on the page must go. */
export function discardUnsaved(): void {
  isDiscarded = true;
}

/** True when something on the page would be lost with it. */
export function hasUnsaved(): boolean {
  return unsaved > 0;
}

/** Asks, where something would be lost, whether to go on. */
export function mayLose(): boolean {
  return unsaved === 0 || confirm(STRINGS.leave);
}
