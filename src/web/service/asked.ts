import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getRequest, hasEnded, listRequests } from "../../client/requests.ts";
import type { RequestMetadata, RequestSummary, Submission } from "../../contract/requests.ts";
import type { SecretState } from "../../contract/states.ts";
import { forgetAgeIdentity, isRepeatable, listAgeIdentities, mayBeOfUse } from "../browser/age-identities.ts";
import type { KeptAgeIdentity } from "../browser/age-identities.ts";
import { requirePerson } from "./clients.ts";
import type { Person } from "./clients.ts";
import { readNotes } from "./notes.ts";
import { listWithTicket } from "./ticket-lists.ts";
import type { ListChoice, TicketList } from "./ticket-lists.ts";

/** The numbers of submissions that wait to be opened, that were, and that never can be. */
interface SubmissionCounts {
  readonly waiting: number;
  readonly opened: number;
  readonly expired: number;
  readonly revoked: number;
}

/** A request as its list shows it. */
export interface AskedRow extends SubmissionCounts {
  readonly request: RequestSummary;
  /** True when this browser can open them. */
  readonly hasKey: boolean;
  /** The note of the request; empty when that is not known here. */
  readonly note: string;
}

/** The requests of a person that are shown. */
export interface AskedList {
  readonly rows: readonly AskedRow[];
  readonly hasMore: TicketList<AskedRow>["hasMore"];
}

/** The chosen requests, and older ones to collect from here. Forgets useless keys. Throws ClientError. */
export async function loadAsked(person: Person, choice: ListChoice): Promise<AskedList> {
  const { client, id: personId } = person;
  const [{ rows: requests, hasMore }, kept] = await Promise.all([
    listWithTicket(listRequests, person, choice),
    listAgeIdentities(personId),
  ]);
  const isListed = (id: string) => requests.some((each) => each.id === id);
  // What became of what was handed in, a list does not say.
  const answered = requests.filter(({ submission_count: count }) => count > 0);
  const [whole, older] = await Promise.all([
    Promise.all(answered.map(({ id }) => getRequest(client, id))),
    Promise.all([...kept.keys()].filter((id) => !isListed(id)).map((id) => findRequest(client, id))),
  ]);
  const known = [...whole, ...older.flatMap(({ request }) => request ?? [])];
  const useless = [...kept].filter(([id, ageIdentity]) => {
    const request = known.find((each) => each.id === id);
    const summary = requests.find((each) => each.id === id);
    if (request) return isOver(request, ageIdentity);
    if (summary) return hasEnded(summary);
    return isGone(older.find((each) => each.id === id)?.isUnknown === true, ageIdentity);
  });
  // The session of somebody who has signed in meanwhile does not see what is of use to this person.
  if (useless.length > 0) await requirePerson(person);
  for (const [id] of useless) await forgetAgeIdentity(personId, id);
  const left = await listAgeIdentities(personId);
  const notes = await readNotes(left);
  const rows = [...requests, ...known.filter(({ id, created_by: by }) => !isListed(id) && by === personId)].map(
    (request) => ({
      request,
      ...countSubmissions(known.find((each) => each.id === request.id)?.submissions ?? []),
      hasKey: left.has(request.id),
      note: notes.get(request.id) ?? "",
    }),
  );
  return {
    rows: rows.filter(({ request, hasKey, waiting }) => isListed(request.id) || (hasKey && waiting > 0)),
    hasMore,
  };
}

/** The number of requests with submissions that only this browser's keys can open, now or later. */
export async function countUsefulKeys({ client, id: personId }: Person): Promise<number> {
  const kept = await listAgeIdentities(personId);
  const useless = await Promise.all(
    [...kept].map(async ([id, ageIdentity]) => {
      const { request, isUnknown } = await findRequest(client, id);
      // What was opened here can be shown again for a moment, and is no reason to stay.
      return request ? isOver(request, { ...ageIdentity, claims: {} }) : isGone(isUnknown, ageIdentity);
    }),
  );
  return useless.filter((each) => !each).length;
}

/** True when nothing can be opened any more of what was handed in, or ever will be. */
export function isOver(request: RequestMetadata, kept: KeptAgeIdentity): boolean {
  const canOpen = request.submissions.some((each) => isAvailable(each) || isRepeatable(kept.claims[each.secret_id]));
  return hasEnded(request) && !canOpen;
}

/** The numbers of submissions in each state. */
export function countSubmissions(submissions: readonly Submission[]): SubmissionCounts {
  const countOf = (state: SecretState) => submissions.filter((each) => each.state === state).length;
  return {
    waiting: countOf("available"),
    opened: countOf("claimed"),
    expired: countOf("expired"),
    revoked: countOf("revoked"),
  };
}

function isAvailable({ state }: { readonly state: string }): boolean {
  return state === "available";
}

/** A request as the server shows it; undefined when it does not, which need not mean that there is none. */
interface FoundRequest {
  readonly id: string;
  readonly request: RequestMetadata | undefined;
  /** True when the server says that there is none. */
  readonly isUnknown: boolean;
}

async function findRequest(client: HttpClient, id: string): Promise<FoundRequest> {
  try {
    return { id, request: await getRequest(client, id), isUnknown: false };
  } catch (error) {
    return { id, request: undefined, isUnknown: error instanceof ClientError && error.code === "not_found" };
  }
}

/** True when a key is of no use any more: whoever doesn't see its request may be in another team by now, or have asked what stands in front of the server. */
function isGone(isUnknown: boolean, ageIdentity: KeptAgeIdentity): boolean {
  return isUnknown && !mayBeOfUse(ageIdentity);
}
