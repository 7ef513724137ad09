import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getRequest, hasEnded, listRequests } from "../../client/requests.ts";
import type { RequestMetadata, RequestSummary, Submission } from "../../contract/requests.ts";
import type { SecretState } from "../../contract/states.ts";
import { forgetAgeIdentity, isRepeatable, listAgeIdentities, mayBeOfUse } from "../browser/age-identities.ts";
import type { KeptAgeIdentity } from "../browser/age-identities.ts";
import { requirePerson } from "./clients.ts";
import type { Person } from "./clients.ts";
import { readNotes, rememberNote } from "./notes.ts";
import { may } from "./scopes.ts";
import { listWithTicket } from "./ticket-lists.ts";
import type { ListChoice, TicketList } from "./ticket-lists.ts";

/** The number of submissions that wait, were opened, expired or were revoked. */
interface SubmissionCounts {
  readonly waiting: number;
  readonly opened: number;
  readonly expired: number;
  readonly revoked: number;
}

/** A request as the list shows it. */
export interface AskedRow extends SubmissionCounts {
  readonly request: RequestSummary;
  /** True when this browser can open the submissions. */
  readonly hasKey: boolean;
  /** The note of the request; empty when it is unknown here. */
  readonly note: string;
  /** True when the submissions of this old request were not counted. */
  readonly isUncounted?: boolean;
  /** True when the person may not open submissions. */
  readonly isForbidden?: boolean;
}

/** The requests of a person to show. */
export interface AskedList {
  readonly rows: readonly AskedRow[];
  readonly hasMore: TicketList<AskedRow>["hasMore"];
}

/** The submissions of so many newest requests are counted, and of all requests that this browser has the key of. */
const COUNTED = 50;
/** The requests that will not change any more, by their IDs. */
const settled = new WeakMap<HttpClient, Map<string, RequestMetadata>>();

/**
 * Loads the newest requests of a person, and all older ones with a submission that this browser can open. Deletes the
 * keys of requests that can bring nothing more. Throws ClientError, also `other_person`.
 */
export async function loadAsked(person: Person, choice: ListChoice): Promise<AskedList> {
  const { client, id: personId } = person;
  const isForbidden = !may(person, "secrets:claim");
  const [{ rows: requests, hasMore }, kept] = await Promise.all([
    listWithTicket(listRequests, person, choice),
    listAgeIdentities(personId),
  ]);
  const isListed = (id: string) => requests.some((each) => each.id === id);
  // A list does not contain the states of submissions.
  const answered = requests.filter(({ submission_count: count }) => count > 0);
  const counted = answered.filter(({ id }, index) => index < COUNTED || kept.has(id));
  const past = settled.get(client) ?? new Map<string, RequestMetadata>();
  const [whole, older] = await Promise.all([
    Promise.all(counted.map(async ({ id }) => past.get(id) ?? getRequest(client, id))),
    Promise.all([...kept.keys()].filter((id) => !isListed(id)).map((id) => findRequest(client, id))),
  ]);
  const known = [...whole, ...older.flatMap(({ request }) => request ?? [])];
  settled.set(client, new Map(whole.filter(isSettled).map((request) => [request.id, request])));
  const useless = [...kept].filter(([id, ageIdentity]) => {
    const request = known.find((each) => each.id === id);
    const summary = requests.find((each) => each.id === id);
    if (request) return isOver(request, ageIdentity);
    if (summary) return hasEnded(summary);
    return isGone(older.find((each) => each.id === id)?.isUnknown === true, ageIdentity);
  });
  // Another person's session cannot see whether these keys are still needed.
  if (useless.length > 0) await requirePerson(person);
  const notes = await readNotes(kept);
  for (const [id] of useless) {
    // Nothing decrypts the note any more.
    await rememberNote(personId, id, notes.get(id) ?? "");
    await forgetAgeIdentity(personId, id);
  }
  const left = await listAgeIdentities(personId);
  const rows = [...requests, ...known.filter(({ id, created_by: by }) => !isListed(id) && by === personId)].map(
    (request) => ({
      request,
      ...countSubmissions(known.find((each) => each.id === request.id)?.submissions ?? []),
      hasKey: left.has(request.id),
      note: notes.get(request.id) ?? "",
      isForbidden,
      isUncounted: request.submission_count > 0 && !known.some(({ id }) => id === request.id),
    }),
  );
  return {
    rows: rows.filter(({ request, hasKey, waiting }) => isListed(request.id) || (hasKey && waiting > 0)),
    hasMore,
  };
}

/** The number of this browser's keys with a submission that waits, or may still arrive. */
export async function countUsefulKeys({ client, id: personId }: Person): Promise<number> {
  const kept = await listAgeIdentities(personId);
  const useless = await Promise.all(
    [...kept].map(async ([id, ageIdentity]) => {
      const { request, isUnknown } = await findRequest(client, id);
      // A submission opened here can be shown again briefly, which is no reason to keep the session.
      return request ? isOver(request, { ...ageIdentity, claims: {} }) : isGone(isUnknown, ageIdentity);
    }),
  );
  return useless.filter((each) => !each).length;
}

/** True when all submissions are over, and no more can arrive. */
export function isOver(request: RequestMetadata, kept: KeptAgeIdentity): boolean {
  const canOpen = request.submissions.some(
    ({ secret_id: id, state }) => state === "available" || isRepeatable(kept.claims[id]),
  );
  return hasEnded(request) && !canOpen;
}

function isSettled(request: RequestMetadata): boolean {
  return hasEnded(request) && request.submissions.every(({ state }) => state !== "available");
}

/** Counts the submissions in each state. */
export function countSubmissions(submissions: readonly Submission[]): SubmissionCounts {
  const countOf = (state: SecretState) => submissions.filter((each) => each.state === state).length;
  return {
    waiting: countOf("available"),
    opened: countOf("claimed"),
    expired: countOf("expired"),
    revoked: countOf("revoked"),
  };
}

/** A request as the server shows it; undefined when it does not, which does not mean that the request is gone. */
interface FoundRequest {
  readonly id: string;
  readonly request: RequestMetadata | undefined;
  /** True when the server says that there is no such request. */
  readonly isUnknown: boolean;
}

async function findRequest(client: HttpClient, id: string): Promise<FoundRequest> {
  try {
    return { id, request: await getRequest(client, id), isUnknown: false };
  } catch (error) {
    return { id, request: undefined, isUnknown: error instanceof ClientError && error.code === "not_found" };
  }
}

/**
 * True when a key is of no more use. An unknown request alone does not prove that: the person may have changed teams,
 * or something in front of the server may have answered.
 */
function isGone(isUnknown: boolean, ageIdentity: KeptAgeIdentity): boolean {
  return isUnknown && !mayBeOfUse(ageIdentity);
}
