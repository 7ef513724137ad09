import type { VNode } from "preact";
import { ClientError } from "../../client/errors.ts";
import { findAgeIdentity, prolongClaim } from "../browser/age-identities.ts";
import { rememberPast } from "../browser/past-links.ts";
import { announceRetry } from "../frame/retries.ts";
import { createLargeOpener } from "../large/large-openings.ts";
import { formatSize } from "../parts/formats.ts";
import { eraseSubmission } from "../service/claims.ts";
import { claimLargeSubmission } from "../service/large-claims.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { LARGE_OPENING } from "../texts/large-opening.ts";
import { OPENING } from "../texts/opening.ts";
import { createOpeningProgress, LargeProgress } from "../viewing/large-progress.tsx";
import { LargeScreen } from "../viewing/large-screen.tsx";
import type { LargeSecret } from "../viewing/large-screen.tsx";
import { claimHere, describeCollecting } from "./collections.ts";
import type { Collection } from "./collections.ts";

const { collect } = ACTIVITY;
const { largeOpening: words } = LARGE_OPENING;

/** Shows a large submission that is open; loaded with what opens it. */
export const OpenedLarge = LargeScreen;

/** How an opening shows its progress. */
interface LargeWatch {
  readonly say: (progress: string) => void;
  /** Called with what to show while it is downloaded. */
  readonly show: (progress: VNode) => void;
}

/**
 * Opens a large submission of `bytes` into the private file system of this browser, or shows it again. Returns a
 * complaint: before the claim when it can't be stored, and when the server does not release it, or the download fails.
 * Throws ClientError.
 */
export async function openLargeSubmission(
  { person, request, kept }: Pick<Collection, "person" | "request" | "kept">,
  { secretId, bytes }: { readonly secretId: string; readonly bytes: number },
  { say, show }: LargeWatch,
): Promise<LargeSecret | string> {
  const place = { personId: person.id, requestId: request.id, secretId };
  const opener = createLargeOpener();
  say(OPENING.open.opening(0));
  // Before the claim, so that nothing is used up where it can't be stored.
  const room = await opener.check(bytes);
  if (room !== "enough") return room === "full" ? words.noRoomToCollect(formatSize(bytes)) : collect.tooLarge;
  const claimed = await claimHere(person, place, (client) => claimLargeSubmission(client, place)).catch(
    async (error: unknown) => {
      await opener.end();
      throw error;
    },
  );
  if (typeof claimed === "string") {
    await opener.end();
    return claimed;
  }
  const { client, idempotencyKey, windowMs, bytes: total } = claimed;
  const progress = createOpeningProgress();
  show(<LargeProgress progress={progress} total={total} onStop={opener.stop} />);
  const source = { baseUrl: client.baseUrl, claimToken: undefined, id: secretId, idempotencyKey, bytes: total };
  const watch = {
    onReceived(arrived: number) {
      progress.report(arrived);
      say(OPENING.open.opening(Math.floor((100 * arrived) / total)));
    },
    onRenewed: (askedAt: number) => void prolongClaim(person.id, request.id, { secretId, endsAt: askedAt + windowMs }),
    onRetry: announceRetry,
  };
  try {
    const content = await opener.open(source, { ageIdentities: [kept.identity] }, watch);
    rememberPast(secretId, { kind: "opened", at: new Date().toISOString() });
    const until = (await findAgeIdentity(person.id, request.id))?.claims[secretId]?.replayEndsAt ?? null;
    const erase = async () => {
      await eraseSubmission(client, { ...place, until });
      await content.drop();
    };
    return { content, sender: null, until, place: "browser", left: 0, erase };
  } catch (error) {
    return describeFailed(error);
  }
}

/** The complaint about a download that failed. The list says until when it can be shown again. */
function describeFailed(error: unknown): string {
  switch (error instanceof ClientError ? error.code : "") {
    case "damaged_archive":
      return words.damaged;
    case "file_unwritable":
      return words.unwritable;
    case "interrupted":
      return words.stopped;
    default:
      return describeCollecting(error).text;
  }
}
