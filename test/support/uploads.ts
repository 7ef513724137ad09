import { expect } from "bun:test";
import type { NewSecret, SecretRecord } from "../../src/domain/ports/secrets.ts";
import type { LargeStorage, UploadRecord } from "../../src/domain/ports/uploads.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";
import type { TestStorage } from "./storages.ts";
import { addTeam, callOf, DAY, newSecret, openUnderTest, REPLAY_MS } from "./stores.ts";

/** The length of an upload: more than an erasing step of the sweeper overwrites. */
export const UPLOAD_BYTES = 10_000_000;

/** A store that keeps large secrets, in `storage`, with a team. */
export async function openUploadsIn(storage: TestStorage & { readonly large: () => LargeStorage }) {
  const place = await openUnderTest(storage);
  const teamId = await addTeam(place);

  const newUpload = (change: Partial<UploadRecord> = {}): UploadRecord => ({
    id: place.ids.next("upload"),
    teamId,
    createdBy: "idn_1",
    address: null,
    proof: null,
    bytes: UPLOAD_BYTES,
    offset: change.bytes ?? UPLOAD_BYTES,
    createdAt: place.clock.now(),
    expiresAt: place.clock.now() + DAY,
    secretId: null,
    ...change,
  });
  /** Stores an upload, and returns it. Throws when that is refused. */
  const addUpload = async (change: Partial<UploadRecord> = {}): Promise<UploadRecord> => {
    const upload = newUpload(change);
    const outcome = await storage.large().uploads.createUpload(upload, Infinity);
    if (outcome !== "created") throw new Error(outcome);
    return upload;
  };
  /** A large secret of an upload, that is not stored yet. */
  const newLarge = ({ id, bytes, createdBy }: UploadRecord, change: Parameters<typeof newSecret>[2] = {}): NewSecret =>
    newSecret(place, teamId, {
      envelopeVersion: 2,
      ciphertextFormat: "age",
      ciphertextBytes: bytes,
      ciphertext: id,
      createdBy,
      ...change,
    });
  /** Stores a large secret of an upload, or of a new one, and returns its record. Throws when that is refused. */
  const addLarge = async (
    upload?: UploadRecord,
    change: Parameters<typeof newSecret>[2] = {},
  ): Promise<SecretRecord> => {
    const outcome = await place.store.createSecret(newLarge(upload ?? (await addUpload()), change));
    if (!("secret" in outcome)) throw new Error(outcome.kind);
    return outcome.secret;
  };
  return {
    place,
    teamId,
    blobs: () => storage.large().blobs,
    uploads: () => storage.large().uploads,
    newUpload,
    addUpload,
    newLarge,
    addLarge,
    claimLarge: ({ id }: Pick<SecretRecord, "id">, key: string) =>
      place.store.claimSecret({
        id,
        teamId,
        actorId: null,
        isLarge: true,
        call: { ...callOf(key), replayUntil: place.clock.now() + REPLAY_MS },
      }),
    /** Ids of the uploads whose blobs are needed, after those that are over have ended. */
    async kept() {
      const kept = [...(await storage.large().uploads.keptUploads())].toSorted();
      // Nothing else is remembered.
      const rows = await place.run<{ id: string }>("SELECT id FROM uploads ORDER BY id");
      expect(rows.map(({ id }) => id)).toEqual(kept);
      return kept;
    },
    /** The bytes that the teams take up, counted in both ways. */
    async usage() {
      const { storedBytes, recountedBytes } = await place.look();
      if (storedBytes !== recountedBytes)
        throw new Error(`${storedBytes} bytes are counted, and not ${recountedBytes}`);
      return storedBytes;
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

export type OpenUploads = () => ReturnType<typeof openUploadsIn>;

/** The same over a data folder. */
export async function openUploads() {
  const storage = openSqliteStorage();
  return { ...(await openUploadsIn(storage)), folder: storage.folder };
}

const PART = "A".repeat(43);
/** The header of an age file to one key, which nobody has. */
const AGE_HEADER = Buffer.from(`age-encryption.org/v1\n-> X25519 ${"B".repeat(42)}A\n${PART}\n--- ${PART}\n`, "latin1");

/** Bytes in the shape of an age file, of which no two pieces are the same. It can't be decrypted. */
export function largeAgeFile(bytes: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(file.subarray(at, at + 65_536));
  file.set(AGE_HEADER);
  // No text, whatever came by chance.
  file[AGE_HEADER.length] = 0xff;
  return file;
}
