import { expect, test } from "bun:test";
import { refusalOf } from "../../support/secrets.ts";
import {
  addRequest,
  addSecret,
  addTeam,
  claim,
  DAY,
  hashOf,
  MINUTE,
  REPLAY_MS,
  sweepAll,
} from "../../support/stores.ts";
import { UPLOAD_BYTES } from "../../support/uploads.ts";
import type { OpenUploads } from "../../support/uploads.ts";

/** What every store promises of uploads, and of the secrets that are made of them. */
export function describeUploads(openStore: OpenUploads): void {
  test("an upload counts with its whole length from its beginning until it ends, after a restart too", async () => {
    await using open = await openStore();
    const { place, uploads } = open;
    const before = await open.usage();
    const upload = await open.addUpload();
    const during = await open.usage();
    expect(during - before).toBeGreaterThan(UPLOAD_BYTES);
    expect(await uploads().findUpload(upload.id)).toEqual(upload);
    await place.reopen();
    expect(await uploads().findUpload(upload.id)).toEqual(upload);
    expect(await open.kept()).toEqual([upload.id]);
    expect(await uploads().endUpload(upload.id)).toBe(true);
    expect(await open.usage()).toBe(before);
    expect(await uploads().findUpload(upload.id)).toBeUndefined();
    expect(await uploads().endUpload(upload.id)).toBe(false);
    expect(await open.kept()).toEqual([]);
  });

  test("uploads beyond the quota of a team are refused, also together with others", async () => {
    await using open = await openStore();
    const quota = 2.5 * UPLOAD_BYTES;
    const create = () => open.uploads().createUpload(open.newUpload(), quota);
    expect((await Promise.all([create(), create(), create()])).toSorted()).toEqual([
      "created",
      "created",
      "quota_exceeded",
    ]);
    expect(await open.uploads().createUpload(open.newUpload({ bytes: UPLOAD_BYTES / 4 }), quota)).toBe("created");
    expect(await open.usage()).toBeLessThan(quota);
    const ofNobody = open.newUpload({ teamId: open.place.ids.next("team") });
    expect(await refusalOf(open.uploads().createUpload(ofNobody, quota))).toBe("credential_invalid");
  });

  test("where an upload doesn't fit, idle ones of its sender give way: the longest idle, and no more than it takes", async () => {
    await using open = await openStore();
    const { place, uploads } = open;
    const quota = 4.5 * UPLOAD_BYTES;
    const busy = await open.addUpload();
    const foreign = await open.addUpload({ createdBy: "idn_2" });
    place.time.advance(1000);
    const [older, newer] = [await open.addUpload(), await open.addUpload()];
    const others = [newer, busy, foreign, older].map(({ id }) => id);
    const begin = (bytes: number, named = others) => uploads().createUpload(open.newUpload({ bytes }), quota, named);
    place.time.advance(10 * MINUTE - 1);
    const noted = { end: 7, parts: [], expiresAt: place.clock.now() + DAY };
    expect(await uploads().noteProgress(busy.id, noted)).toBe("noted");
    expect(await uploads().noteProgress(newer.id, { ...noted, expiresAt: newer.expiresAt + 1 })).toBe("noted");
    expect(await begin(UPLOAD_BYTES)).toBe("quota_exceeded");
    place.time.advance(2);
    const before = await open.usage();
    // All that are idle aren't enough, or those aren't named.
    expect(await begin(3 * UPLOAD_BYTES)).toBe("quota_exceeded");
    expect(await begin(UPLOAD_BYTES, [busy.id, foreign.id])).toBe("quota_exceeded");
    expect(await open.usage()).toBe(before);
    expect(await begin(UPLOAD_BYTES)).toBe("created");
    expect(await open.usage()).toBe(before);
    const kept = await open.kept();
    expect(kept).toHaveLength(4);
    expect(kept).toEqual(expect.arrayContaining([busy.id, foreign.id, newer.id]));
    expect(await uploads().noteProgress(older.id, noted)).toBe("upload_ended");
    expect(await begin(2 * UPLOAD_BYTES)).toBe("quota_exceeded");
    await place.reopen();
    expect(await open.kept()).toEqual(kept);
  });

  test("a secret doesn't give way to an upload", async () => {
    await using open = await openStore();
    const upload = await open.addUpload();
    const { id } = await open.addLarge(upload);
    open.place.time.advance(60 * MINUTE);
    const begun = open.uploads().createUpload(open.newUpload(), 1.5 * UPLOAD_BYTES, [upload.id]);
    expect(await begun).toBe("quota_exceeded");
    expect(await open.uploads().findUploadOf(id)).toMatchObject({ id: upload.id });
  });

  test("an upload ends on time unless somebody goes on with it, and gives its room back", async () => {
    await using open = await openStore();
    const { place, uploads } = open;
    const before = await open.usage();
    const [idle, busy] = [await open.addUpload(), await open.addUpload()];
    place.time.advance(DAY - 1);
    const goOn = (id: string) => uploads().noteProgress(id, { end: 7, parts: [], expiresAt: place.clock.now() + DAY });
    expect(await goOn(busy.id)).toBe("noted");
    expect(await open.kept()).toEqual([idle.id, busy.id]);
    place.time.advance(1);
    expect(await open.kept()).toEqual([busy.id]);
    expect(await uploads().findUpload(idle.id)).toBeUndefined();
    // It doesn't come back.
    expect(await goOn(idle.id)).toBe("upload_ended");
    expect(await uploads().findUpload(busy.id)).toMatchObject({ offset: 7, expiresAt: busy.expiresAt + DAY - 1 });
    place.time.advance(2 * DAY);
    expect(await goOn(busy.id)).toBe("upload_ended");
    expect(await open.kept()).toEqual([]);
    expect(await open.usage()).toBe(before);
  });

  test("a look at uploads of which none is over writes nothing", async () => {
    await using open = await openStore();
    const { place } = open;
    await open.addLarge();
    const { id } = await open.addUpload();
    const writes = async () => (await place.store.measureStorage()).writes;
    const before = await writes();
    for (let n = 0; n < 3; n += 1) expect(await open.kept()).toContain(id);
    expect(await writes()).toEqual(before);
  });

  test("a large secret is made of a whole upload of its creator, once, which it takes over with its charge", async () => {
    await using open = await openStore();
    const { place, teamId, uploads } = open;
    const upload = await open.addUpload();
    const create = async (change: Parameters<typeof open.newLarge>[1], of = upload) =>
      (await place.store.createSecret(open.newLarge(of, change))).kind;
    expect(await create({ ciphertextBytes: UPLOAD_BYTES - 1 })).toBe("upload_ended");
    expect(await create({ createdBy: "idn_2" })).toBe("upload_ended");
    expect(await create({ teamId: await addTeam(place, "others") })).toBe("upload_ended");
    expect(await create({}, open.newUpload())).toBe("upload_ended");
    const expired = await open.addUpload({ expiresAt: place.clock.now() });
    expect(await create({}, expired)).toBe("upload_ended");
    expect(await open.kept()).toEqual([upload.id]);
    const unfinished = await open.addUpload({ offset: UPLOAD_BYTES - 1 });
    expect(await create({}, unfinished)).toBe("upload_ended");
    await uploads().endUpload(unfinished.id);
    const before = await open.usage();
    const secret = await open.addLarge(upload, { teamId, expiresAt: place.clock.now() + 5 * DAY });
    expect((await open.usage()) - before).toBeLessThan(5000);
    expect(await create({})).toBe("upload_ended");
    expect(await uploads().findUpload(upload.id)).toBeUndefined();
    expect((await uploads().findUploadOf(secret.id))?.id).toBe(upload.id);
    expect(await uploads().endUpload(upload.id)).toBe(false);
    // An end of the upload is none of the secret.
    place.time.advance(2 * DAY);
    expect(await uploads().noteProgress(upload.id, { end: 0, parts: [], expiresAt: 0 })).toBe("upload_ended");
    expect(await open.kept()).toEqual([upload.id]);
    expect(await place.store.findSecret(teamId, secret.id)).toMatchObject({ ciphertextBytes: UPLOAD_BYTES });
    expect((await place.look()).ciphertexts).toEqual(new Map([[secret.id, upload.id.length]]));
  });

  test("an upload for a request is handed in for that one alone", async () => {
    await using open = await openStore();
    const { place, teamId } = open;
    const [request, other] = [await addRequest(place, teamId), await addRequest(place, teamId)];
    const upload = await open.addUpload({ createdBy: request.id });
    const submitTo = async ({ id: requestId }: typeof request) => {
      const secret = open.newLarge(upload, { createdBy: null, requestId });
      return (await place.store.submitSecret({ ...secret, requestId }))?.kind;
    };
    expect(await submitTo(other)).toBe("upload_ended");
    expect((await place.store.createSecret(open.newLarge(upload, { createdBy: "idn_1" }))).kind).toBe("upload_ended");
    expect(await submitTo(request)).toBe("created");
    expect(await submitTo(request)).toBe("closed");
    expect(await open.kept()).toEqual([upload.id]);
    expect(await place.store.listSubmissions(teamId, request.id)).toHaveLength(1);
    await open.usage();
  });

  test("what is handed in counts as it comes, up to the quota, and whatever it announces", async () => {
    await using open = await openStore();
    const { place, teamId, uploads } = open;
    const quota = 2.5 * UPLOAD_BYTES;
    const { id: createdBy } = await addRequest(place, teamId);
    const before = await open.usage();
    const begin = (bytes: number) => uploads().createUpload(open.newUpload({ createdBy, bytes, offset: 0 }), quota);
    expect(await begin(3 * UPLOAD_BYTES)).toBe("quota_exceeded");
    expect(await begin(2 * UPLOAD_BYTES)).toBe("created");
    expect((await open.usage()) - before).toBeLessThan(10_000);
    const [upload] = await uploads().listUploads(createdBy);
    const store = (end: number) =>
      uploads().noteProgress(String(upload?.id), {
        end,
        parts: [],
        expiresAt: place.clock.now() + DAY,
        quota: { teamId, bytes: quota },
      });
    expect(await store(UPLOAD_BYTES)).toBe("noted");
    const during = await open.usage();
    expect(during - before).toBeGreaterThan(UPLOAD_BYTES);
    // Its team goes first, and what is stored of it stays.
    expect(await uploads().createUpload(open.newUpload(), quota)).toBe("created");
    expect(await store(2 * UPLOAD_BYTES)).toBe("quota_exceeded");
    expect(await uploads().findUpload(String(upload?.id))).toMatchObject({ offset: UPLOAD_BYTES });
    await uploads().endUpload(String(upload?.id));
    await open.usage();
  });

  test("an upload for a request ends with that, and gives its room back; a pause keeps it", async () => {
    await using open = await openStore();
    const { place, teamId } = open;
    const endingIn = (milliseconds: number) => ({ expiresAt: place.clock.now() + milliseconds });
    const [revoked, paused, expired, fulfilled] = [
      await addRequest(place, teamId),
      await addRequest(place, teamId, endingIn(DAY)),
      await addRequest(place, teamId, endingIn(DAY / 2)),
      await addRequest(place, teamId),
    ];
    const addFor = ({ id }: { readonly id: string }) => open.addUpload({ createdBy: id });
    const ofRevoked = await addFor(revoked);
    const [ofPaused, ofExpired] = [await addFor(paused), await addFor(expired)];
    const [handedIn, late] = [await addFor(fulfilled), await addFor(fulfilled)];
    const own = await open.addUpload();
    await place.store.setRequestState(teamId, paused.id, { state: "paused", actorId: null, quotaBytes: Infinity });
    expect(await open.kept()).toHaveLength(6);
    await place.store.revokeRequest(teamId, revoked.id, null);
    expect(await open.kept()).not.toContain(ofRevoked.id);
    const secret = open.newLarge(handedIn, { createdBy: null, requestId: fulfilled.id });
    await place.store.submitSecret({ ...secret, requestId: fulfilled.id });
    expect(await open.kept()).not.toContain(late.id);
    expect(await open.kept()).toContain(handedIn.id);
    place.time.advance(DAY / 2);
    expect(await open.kept()).not.toContain(ofExpired.id);
    expect(await open.kept()).toEqual([ofPaused, handedIn, own].map(({ id }) => id).toSorted());
    await open.usage();
  });

  test("uploads are listed by who began them, oldest first, and counted with large secrets", async () => {
    await using open = await openStore();
    const { uploads } = open;
    const createdBy = open.place.ids.next("request");
    const proven = { createdBy, address: "ann@a.test", proof: "code" } as const;
    const [first, other, second] = [
      await open.addUpload(proven),
      await open.addUpload(),
      await open.addUpload({ createdBy, offset: 5 }),
    ];
    expect(await uploads().listUploads(createdBy)).toEqual([first, second]);
    await open.addLarge(other);
    expect(await uploads().listUploads(other.createdBy)).toEqual([]);
    expect(await uploads().countUploads()).toEqual({ uploads: 2, secrets: 1, bytes: 3 * UPLOAD_BYTES });
  });

  test("a claim hands out the id of the upload, and downloads keep the blob until it is acknowledged", async () => {
    await using open = await openStore();
    const { place, teamId, uploads } = open;
    const before = await open.usage();
    const upload = await open.addUpload();
    const { id } = await open.addLarge(upload, { expiresAt: place.clock.now() + 5 * DAY });
    const goOn = (key: string, minutes = 5) =>
      uploads().goOnDownloading(id, hashOf(key), place.clock.now() + minutes * MINUTE);
    expect((await claim(place, { id, teamId }))?.kind).toBe("other_version");
    expect(await goOn("one")).toBeUndefined();
    expect(await open.claimLarge({ id }, "one")).toMatchObject({ kind: "claimed", ciphertext: upload.id });
    expect(await open.claimLarge({ id }, "two")).toMatchObject({ kind: "ended", state: "claimed" });
    for (let n = 0; n < 4; n += 1) {
      expect(await goOn("one")).toBe(upload.id);
      place.time.advance(REPLAY_MS - 1);
      await sweepAll(place);
      expect(await open.kept()).toEqual([upload.id]);
    }
    expect(await goOn("two")).toBeUndefined();
    await place.store.acknowledgeClaim(id, hashOf("one"));
    expect(await goOn("one")).toBe("over");
    expect(await open.kept()).toEqual([]);
    // What is left are the tombstone, three events and the calls.
    expect((await open.usage()) - before).toBeLessThan(5000);
  });

  test("the blob of a secret that is revoked, expires, or whose downloads are over, is not kept", async () => {
    await using open = await openStore();
    const { place, teamId } = open;
    const [revoked, expired, downloaded, small] = [
      await open.addLarge(),
      await open.addLarge(),
      await open.addLarge(undefined, { expiresAt: place.clock.now() + DAY }),
      await addSecret(place, teamId),
    ];
    const uploadOf = async (id: string) =>
      (await place.run<{ id: string }>(`SELECT id FROM uploads WHERE secret_id = '${id}'`))[0]?.id;
    const ofDownloaded = await uploadOf(downloaded.id);
    await place.store.revokeSecret(teamId, revoked.id, null);
    expect(await open.kept()).toEqual([await uploadOf(expired.id), ofDownloaded].map(String).toSorted());
    await open.claimLarge(downloaded, "one");
    place.time.advance(REPLAY_MS);
    await sweepAll(place);
    expect(await open.kept()).toEqual([String(await uploadOf(expired.id))]);
    place.time.advance(DAY);
    await sweepAll(place);
    expect(await open.kept()).toEqual([]);
    expect(await place.store.findSecret(teamId, small.id)).toMatchObject({ state: "expired" });
    await open.usage();
  });

  test("a step of the sweeper ends as many large secrets as others: it overwrites nothing for them", async () => {
    await using open = await openStore();
    const { place } = open;
    for (let n = 0; n < 5; n += 1) await open.addLarge();
    place.time.advance(2 * DAY);
    expect(await place.store.sweep(100)).toBe(false);
    expect((await place.look()).ciphertexts.size).toBe(0);
  });

  test("a team that is deleted takes its uploads along, and no others", async () => {
    await using open = await openStore();
    const { place, teamId } = open;
    const others = await addTeam(place, "others");
    const kept = await open.addUpload({ teamId: others });
    await open.addUpload();
    await open.addLarge();
    await place.store.closeTeam(teamId, true);
    while (await place.store.emptyTeam(teamId));
    expect(await place.store.deleteTeam(teamId)).toBe(true);
    expect(await open.kept()).toEqual([kept.id]);
    await open.usage();
  });

  test("an id of an upload that is damaged on the disk hands out nothing, and counts no claim", async () => {
    await using open = await openStore();
    const { place, teamId } = open;
    const { id } = await open.addLarge();
    await place.run("UPDATE ciphertexts SET ciphertext = '..'");
    expect(await refusalOf(open.claimLarge({ id }, "one"))).toBe("storage_unavailable");
    expect(await place.store.findSecret(teamId, id)).toMatchObject({ state: "available", claims: 0 });
  });
}
