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

/**
 * The newest requests of a person. The keys of those from which nothing can come any more are forgotten. Throws
 * ClientError, `other_person` too.
 */
export async function loadAsked(person: Person, limit: number): Promise<AskedRow[]> {
  const { client, id: personId } = person;
  const [requests, kept] = await Promise.all([
    listRequests(client, { limit, createdBy: personId }),
    listAgeIdentities(personId),
  ]);
  // What became of what was handed in, a list does not say.
  const answered = requests.filter(({ submission_count: count }) => count > 0);
  const whole = await Promise.all(answered.map(({ id }) => getRequest(client, id)));
  const useless: string[] = [];
  for (const [id, ageIdentity] of kept) {
    const request = whole.find((each) => each.id === id);
    const summary = requests.find((each) => each.id === id);
    if (await isUseless(client, id, { request, summary, ageIdentity })) useless.push(id);
  }
  // The session of somebody who has signed in meanwhile does not see what is of use to this person.
  if (useless.length > 0) await requirePerson(person);
  for (const id of useless) await forgetAgeIdentity(personId, id);
  const left = await listAgeIdentities(personId);
  const notes = await readNotes(left);
  return requests.map((request) => ({
    request,
    ...countSubmissions(whole.find((each) => each.id === request.id)?.submissions ?? []),
    hasKey: left.has(request.id),
    note: notes.get(request.id) ?? "",
  }));
}

/**
 * The number of requests for which this browser has a key with which something that nobody has opened can be, now or
 * later.
 */
export async function countUsefulKeys({ client, id: personId }: Person): Promise<number> {
  const kept = await listAgeIdentities(personId);
  const useless = await Promise.all(
    // What was opened here can be shown again for a moment, and is no reason to stay.
    [...kept].map(([id, ageIdentity]) =>
      isUseless(client, id, { request: undefined, summary: undefined, ageIdentity: { ...ageIdentity, claims: {} } }),
    ),
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

/**
 * True when an age identity opens nothing any more, and never will; what the list does not say of it the server is asked.
 */
async function isUseless(
  client: HttpClient,
  id: string,
  known: {
    readonly request: RequestMetadata | undefined;
    readonly summary: RequestSummary | undefined;
    readonly ageIdentity: KeptAgeIdentity;
  },
): Promise<boolean> {
  const { request, summary, ageIdentity } = known;
  if (request) return isOver(request, ageIdentity);
  if (summary) return hasEnded(summary);
  try {
    return isOver(await getRequest(client, id), ageIdentity);
  } catch (error) {
    // Whoever doesn't see it may be in another team by now, or have asked what stands in front of the server.
    return error instanceof ClientError && error.code === "not_found" && !mayBeOfUse(ageIdentity);
  }
}
