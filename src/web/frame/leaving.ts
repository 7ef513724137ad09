import { discardUnsaved, findUnsaved } from "../browser/unsaved.ts";
import { STRINGS } from "../strings.ts";
import { askFirst } from "./dialogs.tsx";

/** Asks, where something would be lost, whether to go on. */
export async function mayLose(): Promise<boolean> {
  const kind = findUnsaved();
  return kind === undefined || askFirst({ ...STRINGS.leaving[kind], isDangerous: true });
}

/** The same before the page is left by `go`, after which the browser asks nothing more. */
export async function leave(go: () => void): Promise<void> {
  if (!(await mayLose())) return;
  discardUnsaved();
  go();
}
