import { discardUnsaved, findUnsaved } from "../browser/unsaved.ts";
import { PAGE } from "../texts/page.ts";
import { askFirst } from "./dialogs.tsx";

/** Returns true when nothing would be lost, or the person agrees to lose it. */
export async function mayLose(): Promise<boolean> {
  const kind = findUnsaved();
  return kind === undefined || askFirst({ ...PAGE.leaving[kind], isDangerous: true });
}

/** Asks the same, and then leaves the page by `go`; the browser asks nothing more. */
export async function leave(go: () => void): Promise<void> {
  if (!(await mayLose())) return;
  discardUnsaved();
  go();
}
