import { beginPasskeySignIn, signInWithPasskey } from "../../client/page/passkeys.ts";
import { topUrl } from "../browser/places.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { findPerson } from "../service/clients.ts";
import type { DialogResult } from "../service/passkey-dialogs.ts";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";
import { findCookieFault } from "./cookies.ts";

const { passkey: words } = LANDING.signIn;
const { failed } = PAGE;

type Result = "signed-in" | "canceled" | { readonly complaint: string };

/**
 * Signs in with a passkey that the person chooses in a dialog of the browser. Resolves "signed-in", "canceled", or with
 * a complaint. Never rejects.
 */
export async function trySigningIn(): Promise<Result> {
  // Checked before the person is asked in vain.
  if (findCookieFault()) return { complaint: words.noCookie };
  const dialogs = await loadPart(() => import("../service/passkey-dialogs.ts")).catch(() => undefined);
  if (!dialogs) return { complaint: failed.stale };
  return signInWith(dialogs.askForPasskey);
}

/**
 * Signs in with the passkey that `ask` resolves with for the server's options; undefined ends it as "canceled". Never
 * rejects.
 */
export async function signInWith(ask: (options: object) => Promise<DialogResult> | undefined): Promise<Result> {
  try {
    const begun = await beginPasskeySignIn(topUrl());
    if (!begun.ok) return { complaint: await describe(begun) };
    const { options } = (await begun.json()) as { readonly options: object };
    const result = (await ask(options)) ?? { kind: "canceled" };
    if (result.kind === "canceled") return "canceled";
    if (result.kind !== "answered") return { complaint: words.unusable };
    const answer = await signInWithPasskey(topUrl(), result.answer);
    if (!answer.ok) return { complaint: await describe(answer) };
    return (await findPerson()) ? "signed-in" : { complaint: words.noCookie };
  } catch {
    return { complaint: failed.network.text };
  }
}

async function describe(answer: Response): Promise<string> {
  if (answer.status === 429) return failed.limited;
  if (answer.status >= 500) return failed.busy.text;
  if (answer.status !== 401) return failed.other;
  const problem = (await answer.json().catch(() => undefined)) as { readonly code?: unknown } | undefined;
  return problem?.code === "credential_expired" ? words.late : words.unknown;
}
