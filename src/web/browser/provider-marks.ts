import { topUrl } from "./places.ts";

/** No constant: a script that doesn't use this must not have it. */
const key = () => `handoff company account ${topUrl()}`;

/** Records that the last sign-in of this browser was by the provider. */
export function rememberProvider(): void {
  inStorage((storage) => storage.setItem(key(), ""));
}

/** Forgets that: after signing out, or in by another way, nobody is signed in by itself. */
export function forgetProvider(): void {
  inStorage((storage) => storage.removeItem(key()));
}

/** True when the last sign-in was by the provider. Forgets it, so that the provider is asked once, and never again. */
export function takeProvider(): boolean {
  const isProvider = inStorage((storage) => storage.getItem(key())) === "";
  forgetProvider();
  return isProvider;
}

/** Even reading the property throws in browsers that are set to block storage. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
