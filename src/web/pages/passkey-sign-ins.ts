import { beginPasskeySignIn, signInWithPasskey } from "../../client/page/passkeys.ts";
import { topUrl } from "../browser/places.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { findPerson } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";
import { findCookieFault } from "./cookies.ts";

const { passkey: words } = LANDING.signIn;
const { failed } = PAGE;

/**
 * Signs in with a passkey that the person chooses in a dialog of the browser. Resolves "signed-in", "canceled", or with
 * a complaint. Never rejects.
 */
export async function trySigningIn(): Promise<"signed-in" | "canceled" | { readonly complaint: string }> {
  // Checked before the person is asked in vain.
  if (findCookieFault()) return { complaint: words.noCookie };
  const dialogs = await loadPart(() => import("../service/passkey-dialogs.ts")).catch(() => undefined);
  if (!dialogs) return { complaint: failed.stale };
  try {
    const begun = await beginPasskeySignIn(topUrl());
    if (!begun.ok) return { complaint: await describe(begun) };
    const { options } = (await begun.json()) as { readonly options: object };
    const result = await dialogs.askForPasskey(options);
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
