import { useLayoutEffect } from "preact/hooks";

/** A thing that would be lost with the page: what was typed, a link that was not taken, or a secret that was not saved. */
export type Unsaved = "typed" | "link" | "secret";

/** Numbers of those that would be lost with the page. */
const unsaved: Record<Unsaved, number> = { typed: 0, link: 0, secret: 0 };
let isDiscarded = false;

/** Has the browser ask before the page is left, as long as something on it would be lost. */
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

/** Has the browser ask nothing any more: what is on the page must go. */
export function discardUnsaved(): void {
  isDiscarded = true;
}

/** The gravest thing that would be lost with the page; undefined when nothing would. */
export function findUnsaved(): Unsaved | undefined {
  return (["secret", "link", "typed"] as const).find((kind) => unsaved[kind] > 0);
}
