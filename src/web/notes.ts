import type { KeptIdentity } from "./identities.ts";
import { inWorker } from "./workers.ts";

/** What was asked for, as this browser keeps it; empty when that is not known. */
export async function readNote({ identity, note }: KeptIdentity): Promise<string> {
  if (note === undefined) return "";
  const key = { kind: "identities", identities: [identity] } as const;
  const payload = await inWorker({ kind: "open", envelope: note, key }).catch(() => undefined);
  return payload?.kind === "text" ? payload.text : "";
}
