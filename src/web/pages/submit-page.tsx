import { useRef } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { getInvitation } from "../../client/requests.ts";
import { FORM_START } from "../../crypto/form-start.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import type { RequestLink } from "../../crypto/request-links.ts";
import { forget } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { forgetPastOf, readPast, rememberPast } from "../browser/past-links.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeFault, describeForgotten } from "../parts/failures.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { toShownNote } from "../parts/shown-notes.ts";
import type { HeldProof } from "../proving/proofs.ts";
import { createLinkClient } from "../service/link-clients.ts";
import { HandInScreen } from "../submitting/hand-in-screen.tsx";
import type { AskedHere, HandedIn } from "../submitting/hand-in-screen.tsx";
import { describeRefusal } from "../submitting/refusals.ts";
import { ThanksScreen } from "../submitting/thanks-screen.tsx";

type State =
  | { readonly kind: "ready"; readonly asked: AskedHere }
  | {
      readonly kind: "done";
      readonly handedIn: HandedIn;
      /** Loads the form for another submission; undefined when more may not be accepted. */
      readonly next: (() => Promise<State>) | undefined;
    };

/** `/r/{id}`: a person who was asked hands in a secret. */
export function SubmitPage({ id }: { readonly id: string }) {
  const { state, screen, setState } = useLoading<State>(id, begin, describeRefusal);
  const proof = useRef<HeldProof | undefined>(undefined);
  if (!state) return screen;
  switch (state.kind) {
    case "ready": {
      const { asked } = state;
      return (
        <HandInScreen
          key={asked.round}
          asked={asked}
          proof={proof}
          onDone={(handedIn) => {
            const takesMore = asked.invitation.submissionsLeft > 1;
            // After a reload another can be handed in, too.
            if (!takesMore) void forget(id);
            rememberPast(id, { kind: "handed-in", ...handedIn });
            setState({
              kind: "done",
              handedIn,
              next: takesMore ? () => readAsked(asked.link, asked.round + 1) : undefined,
            });
          }}
        />
      );
    }
    case "done": {
      const { handedIn, next } = state;
      const showNext = (following: State) => {
        forgetPastOf(id);
        setState(following);
      };
      const more = next && (() => void next().then(showNext, (error: unknown) => setState(describeRefusal(error))));
      return <ThanksScreen handedIn={handedIn} onMore={more} />;
    }
  }
}

/**
 * Reads the link and the invitation. The recipient is checked before anything is shown. After something was handed in
 * here, a reload shows that again; the link from the message shows the form.
 */
async function begin(id: string): Promise<State | Notice> {
  const isReload = location.hash === "";
  const taken = takeLink(id, parseRequestLink);
  if (taken === undefined) return describeMissing(id);
  if (typeof taken === "string") return describeFault(taken);
  const past = readPast(id);
  if (isReload && past?.kind === "handed-in") return showAgain(taken.link, past);
  forgetPastOf(id);
  return readAsked(taken.link, 0);
}

/** The state after something was handed in. Another can be handed in unless the request has ended since. */
async function showAgain(link: RequestLink, { secretId, hadEarlier }: HandedIn): Promise<State> {
  const handedIn = { secretId, hadEarlier };
  const next = () => readAsked(link, 1);
  try {
    await next();
  } catch (error) {
    if (error instanceof ClientError && error.kind === "gone") {
      void forget(link.id);
      return { kind: "done", handedIn, next: undefined };
    }
  }
  return { kind: "done", handedIn, next };
}

async function readAsked(link: RequestLink, round: number): Promise<State> {
  const { submitToken, notePassphrase } = await deriveRequestKeys(link.seed);
  const connect: AskedHere["connect"] = (options) => createLinkClient(link.baseUrl, submitToken, options);
  prepareWorker();
  const invitation = await getInvitation(connect(), link);
  const { note: sealed } = invitation;
  const plaintext = sealed && (await inWorker({ kind: "note", envelope: sealed, passphrase: notePassphrase }));
  // Few requests have a form, and its code is a part of its own.
  const { text, form } = plaintext?.startsWith(FORM_START)
    ? (await loadPart(() => import("../submitting/form-fields.tsx"))).readForm(plaintext)
    : { text: plaintext, form: undefined };
  const note = text ? toShownNote(text) : undefined;
  return { kind: "ready", asked: { link, submitToken, round, connect, invitation, note, form } };
}

/** The screen of an address without a fragment, in a tab that keeps no link for it. */
function describeMissing(id: string): State | Notice {
  const past = readPast(id);
  if (!past) return describeFault("no_key");
  if (past.kind !== "handed-in") return describeForgotten();
  const { secretId, hadEarlier } = past;
  return { kind: "done", handedIn: { secretId, hadEarlier }, next: undefined };
}
