import { expect, test } from "bun:test";
import { startBlobSweeper } from "../../../src/domain/large/blob-sweeper.ts";
import type { LargeStorage } from "../../../src/domain/ports/uploads.ts";
import { append, sizeOf } from "../../support/blobs.ts";
import { errorOf } from "../../support/clients.ts";
import { until } from "../../support/polls.ts";
import { addTeam, DAY } from "../../support/stores.ts";
import { openUploads } from "../../support/uploads.ts";

async function* pieceOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const failHere = (error: unknown) => {
  throw error;
};

test("a sweep erases the blobs of what has ended, and keeps those of uploads and secrets", async () => {
  await using open = await openUploads();
  const { place, teamId } = open;
  const [large, blobs] = [{ uploads: open.uploads(), blobs: open.blobs() }, open.blobs()];
  const sweeper = startBlobSweeper({ large, intervalMs: 60_000, onError: failHere });
  const until5Days = { expiresAt: place.clock.now() + 5 * DAY };
  const [upload, ofSecret, ended, ofRevoked, ofExpired] = await Promise.all(
    [until5Days, {}, {}, {}, {}].map((change) => open.addUpload({ bytes: 4, ...change })),
  );
  const others = await open.addUpload({ bytes: 4, teamId: await addTeam(place, "others") });
  if (!upload || !ofSecret || !ended || !ofRevoked || !ofExpired) throw new Error("there are five");
  const all = [upload, ofSecret, ended, ofRevoked, ofExpired, others];
  for (const { id } of all) await append(blobs, id, 0, pieceOf("text"));
  await open.addLarge(ofSecret, until5Days);
  const revoked = await open.addLarge(ofRevoked, until5Days);
  const left = async () => {
    const sizes = await Promise.all(all.map(async (each) => [each, await sizeOf(blobs, each.id)] as const));
    return sizes.flatMap(([each, size]) => (size === 4 ? [each] : []));
  };
  await sweeper.sweep();
  expect(await left()).toEqual(all);
  await place.store.revokeSecret(teamId, revoked.id, null);
  await open.uploads().endUpload(ended.id);
  await sweeper.sweep();
  expect(await left()).toEqual([upload, ofSecret, ofExpired, others]);
  place.time.advance(2 * DAY);
  await sweeper.sweep();
  expect(await left()).toEqual([upload, ofSecret]);
  await sweeper.stop();
});

/** Blobs that count their sweeps, each of which ends as `ends` say. */
function counting(ends: readonly (() => Promise<void>)[]) {
  let sweeps = 0;
  const blobs = {
    eraseOthers: (_findKept: unknown, signal: AbortSignal) => {
      sweeps += 1;
      signals.push(signal);
      return ends[sweeps - 1]?.() ?? Promise.resolve();
    },
  };
  const signals: AbortSignal[] = [];
  return { large: { blobs } as unknown as LargeStorage, sweeps: () => sweeps, signals };
}

const fail = (message: string) => () => Promise.reject(new Error(message));
const succeed = () => Promise.resolve();

test("it begins at once, reports the first of several failures, and tries again at the next interval", async () => {
  const { large, sweeps } = counting([fail("disk"), fail("disk still"), succeed, fail("disk again")]);
  const errors: unknown[] = [];
  const sweeper = startBlobSweeper({ large, intervalMs: 5, onError: (error) => void errors.push(error) });
  expect(sweeps()).toBe(1);
  await until(() => sweeps() >= 5);
  await sweeper.stop();
  expect(errors).toEqual([new Error("disk"), new Error("disk again")]);
});

test("two sweeps never run at once, and the end waits for the one that it interrupts", async () => {
  const over = Promise.withResolvers<void>();
  const { large, sweeps, signals } = counting([() => over.promise]);
  const sweeper = startBlobSweeper({ large, intervalMs: 1, onError: failHere });
  const second = errorOf(sweeper.sweep());
  expect(sweeps()).toBe(1);
  let hasStopped = false;
  const stopped = sweeper.stop().then(() => (hasStopped = true));
  expect(signals[0]?.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(hasStopped).toBe(false);
  over.reject(new Error("interrupted"));
  expect(await second).toMatchObject({ message: "interrupted" });
  await stopped;
  expect(sweeps()).toBe(1);
});
