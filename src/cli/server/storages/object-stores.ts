import { readSecretLine } from "../../../config/secret-files.ts";
import type { SettingId, Settings } from "../../../config/settings.ts";
import type { StorageTrouble } from "../../../domain/ports/health.ts";
import type { LargeStorage, UploadStore } from "../../../domain/ports/uploads.ts";
import { openObjectBlobs } from "../../../store/blobs/object-blobs.ts";
import { ObjectStoreError, openObjectStore } from "../../../store/blobs/object-store.ts";
import type { ObjectStoreOptions } from "../../../store/blobs/object-store.ts";
import type { OpenBlobs } from "../../../store/copies/large-moves.ts";
import { usageError } from "../../terminal/terminal.ts";

const KEY_FILE = {
  what: "the access key of the object store",
  short: "the access key, as ID:SECRET",
  risk: "a secret",
} as const;
const USUAL_REGION = "us-east-1";

/** An object store as the settings have it. */
export interface ObjectStorePlace {
  /** The URL, which has no secret in it. */
  readonly name: string;
  readonly options: ObjectStoreOptions;
  /** What the keys of an installation begin with. */
  readonly folderOf: (installation: string) => string;
}

/** The settings of the object store. */
export const OBJECT_STORE = ["objectStore", "objectStoreKeyFile"] as const satisfies readonly SettingId[];

/**
 * The same for an admin command, which doesn't check settings against each other. Throws CommandError when one of them
 * is missing.
 */
export function readOwnObjectStore(
  settings: Pick<Settings, (typeof OBJECT_STORE)[number]>,
): ObjectStorePlace | undefined {
  const { objectStore, objectStoreKeyFile } = settings;
  if ((objectStore === undefined) !== (objectStoreKeyFile === undefined))
    throw usageError("--object-store and --object-store-key-file go together: give both of them");
  return readObjectStore(settings);
}

/**
 * Reads the settings of the object store, and calls nobody; undefined where there is none. Throws SettingsError and
 * CommandError.
 */
export function readObjectStore(
  settings: Pick<Settings, "objectStore" | "objectStoreKeyFile">,
): ObjectStorePlace | undefined {
  const { objectStore: name, objectStoreKeyFile: file } = settings;
  if (name === undefined || file === undefined) return undefined;
  const [accessKeyId = "", secretAccessKey = "", ...more] = readSecretLine(file, KEY_FILE).split(":");
  if (accessKeyId === "" || secretAccessKey === "" || more.length > 0) {
    throw usageError(`what is in '${file}' is no access key: expected its ID, a colon and its secret, in one line`);
  }
  const { origin, pathname, searchParams } = new URL(name);
  const [bucket = "", ...folders] = pathname.split("/").filter((each) => each !== "");
  return {
    name,
    options: {
      endpoint: origin,
      bucket,
      region: searchParams.get("region") ?? USUAL_REGION,
      accessKeyId,
      secretAccessKey,
    },
    folderOf: (installation) => [...folders, installation].join("/"),
  };
}

/** Says where the blobs of an installation are in the store. */
export function openBlobsAt(place: ObjectStorePlace): OpenBlobs {
  const objects = openObjectStore(place.options);
  return (installation, findParts) =>
    openObjectBlobs({ objects, findParts, folder: () => place.folderOf(installation) });
}

/** The large secrets of a server, and the trouble while the object store can't be used. */
export interface ObjectStorage {
  readonly large: LargeStorage;
  readonly troubles: () => readonly StorageTrouble[];
}

/** Opens the object store of a server, whose database may not be open yet. Nothing is called yet. */
export function openObjectStorage(
  place: ObjectStorePlace,
  uploads: UploadStore,
  installation: () => string | undefined,
): ObjectStorage {
  let failure: unknown;
  const blobs = openObjectBlobs({
    objects: openObjectStore(place.options),
    findParts: uploads.findParts,
    folder() {
      const id = installation();
      // The rows of uploads are read first, and they can't be.
      if (id === undefined) throw new Error("the database isn't open");
      return place.folderOf(id);
    },
    onOutcome: (error) => void (failure = error),
  });
  return {
    large: { uploads, blobs },
    troubles: () => (failure === undefined ? [] : [describeFailure(failure)]),
  };
}

function describeFailure(failure: unknown): StorageTrouble {
  return {
    code: "object_store_failing",
    message:
      "The object store can't be used, so that calls for large secrets fail. All others go on. Find out why with: handoff admin check",
    ...(failure instanceof ObjectStoreError ? { systemCode: failure.code } : {}),
    isSerious: false,
  };
}
