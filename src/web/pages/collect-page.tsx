import { useState } from "preact/hooks";
import { getRequest } from "../../client/requests.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import { findAgeIdentity, keepAgeIdentity } from "../browser/age-identities.ts";
import type { KeptAgeIdentity } from "../browser/age-identities.ts";
import { forget } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { CollectScreen } from "../collecting/collect-screen.tsx";
import type { LargePart } from "../collecting/collect-screen.tsx";
import { describeCollecting, NO_KEY, SIGN_IN_FIRST } from "../collecting/collections.ts";
import type { Collection } from "../collecting/collections.ts";
import { KeyFile } from "../collecting/key-file.tsx";
import { NOTHING_WAITS } from "../frame/account.ts";
import { mayLose } from "../frame/leaving.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeFault } from "../parts/failures.ts";
import { isOver } from "../service/asked.ts";
import { findPerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { findForm, readNotes, recallNote } from "../service/notes.ts";
import { ACTIVITY } from "../texts/activity.ts";
import type { LargeSecret } from "../viewing/large-screen.tsx";
import { OpenedScreen } from "../viewing/opened-screen.tsx";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";
import { usePersonAccount } from "./accounts.tsx";

const { collect } = ACTIVITY;

type State =
  | { readonly kind: "ready"; readonly collection: Collection }
  | { readonly kind: "opened"; readonly secret: OpenedSecret }
  | { readonly kind: "large"; readonly secret: LargeSecret; readonly part: LargePart };

/** `/c/{id}`: the person who asked opens the submissions. */
export function CollectPage({ id }: { readonly id: string }) {
  const [person, setPerson] = useState<Person | undefined>(undefined);
  const { state, screen, setState, reload } = useLoading<State>(id, () => begin(id, setPerson), describeCollecting);
  usePersonAccount(person, { tab: undefined, waiting: NOTHING_WAITS }, (next) => {
    setPerson(undefined);
    setState("kind" in next ? SIGN_IN_FIRST : next);
  });
  if (!state) return screen;
  switch (state.kind) {
    case "ready":
      return (
        <CollectScreen
          collection={state.collection}
          onOpened={(secret) => setState({ kind: "opened", secret })}
          onLargeOpened={(secret, part) => setState({ kind: "large", secret, part })}
        />
      );
    case "opened":
      return (
        <OpenedScreen secret={state.secret} onErased={reload}>
          <Back onBack={reload} />
        </OpenedScreen>
      );
    case "large": {
      const { secret, part } = state;
      return (
        <part.OpenedLarge secret={secret} onErased={reload}>
          <Back onBack={() => void secret.content.drop().then(reload, reload)} />
        </part.OpenedLarge>
      );
    }
  }
}

function Back({ onBack }: { readonly onBack: () => void }) {
  return (
    <p>
      <button type="button" class="button" onClick={() => void mayLose().then((may) => may && onBack())}>
        {collect.back}
      </button>
    </p>
  );
}

/** Finds the private key in this browser or in the link, and reads the request. */
async function begin(id: string, onPerson: (person: Person) => void): Promise<State | Notice> {
  const taken = takeLink(id, parseBackupLink);
  prepareWorker(true);
  const person = await findPerson();
  // The link from the address bar stays in this tab until the person has signed in.
  if (!person) return SIGN_IN_FIRST;
  onPerson(person);
  const request = await getRequest(person.client, id);
  const isWhole = typeof taken === "object";
  const kept =
    (await findAgeIdentity(person.id, id)) ?? (isWhole && (await adopt(person, request, taken.link.ageIdentity)));
  if (kept) {
    const note = await readNote(id, kept);
    return { kind: "ready", collection: { person, request, kept, note, form: findForm(id) } };
  }
  // A missing key means here that nothing is left to open with it.
  if (taken === undefined && request.submissions.length > 0 && isOver(request, NO_KEY)) {
    const note = await recallNote(person.id, id);
    return { kind: "ready", collection: { person, request, kept: NO_KEY, note, form: [] } };
  }
  if (taken === undefined) return { ...collect.noKey, icon: "key", below: <KeyFile id={id} /> };
  void forget(id);
  return typeof taken === "string" ? describeFault(taken) : collect.wrongKey;
}

/**
 * Keeps the age identity of a backup link as if the request had been created here; undefined when it does not belong to
 * the request.
 */
async function adopt(
  person: Person,
  request: RequestMetadata,
  ageIdentity: string,
): Promise<KeptAgeIdentity | undefined> {
  const recipient = await inWorker({ kind: "recipient", ageIdentity });
  if (recipient !== request.recipient) return undefined;
  const kept = { identity: ageIdentity, note: undefined, claims: {} };
  // When this browser stores nothing, the tab keeps the link.
  if (await keepAgeIdentity(person.id, request.id, kept)) void forget(request.id);
  return kept;
}

async function readNote(id: string, kept: KeptAgeIdentity): Promise<string> {
  return (await readNotes(new Map([[id, kept]]))).get(id) ?? "";
}
