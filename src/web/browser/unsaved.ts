import { useLayoutEffect } from "preact/hooks";

/** A kind of loss on leaving the page: typed text, a link that was not copied, or a secret that was not saved. */
export type Unsaved = "typed" | "link" | "secret";

/** The number of each kind on the page now. */
const unsaved: Record<Unsaved, number> = { typed: 0, link: 0, secret: 0 };
let isDiscarded = false;

/** Has the browser ask before the page is left, while `isUnsaved` is true. */
export function useUnsaved(isUnsaved: boolean, kind: Unsaved): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => isDiscarded || event.preventDefault();
    addEventListener("beforeunload", ask);
    unsaved[kind]++;
    return () => {
      removeEventListener("beforeunload", ask);
      unsaved[kind]--;
    };
  }, [isUnsaved, kind]);
}

/** Stops the browser from asking: the page has to be cleared. */
export function discardUnsaved(): void {
  isDiscarded = true;
}

/** The most serious loss on leaving the page; undefined when there is none. */
export function findUnsaved(): Unsaved | undefined {
  return (["secret", "link", "typed"] as const).find((kind) => unsaved[kind] > 0);
}
