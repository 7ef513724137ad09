import type { Settings } from "../../config/settings.ts";
import { probeObjects } from "../../store/blobs/object-blobs.ts";
import { ObjectStoreError, openObjectStore } from "../../store/blobs/object-store.ts";
import type { ObjectFacts, ObjectStore } from "../../store/blobs/object-store.ts";
import { inspectLargeParts } from "../../store/postgres/inspections.ts";
import type { InspectedPart } from "../../store/postgres/inspections.ts";
import { readObjectStore } from "../server/storages/object-stores.ts";
import type { PostgresPlace } from "../server/storages/places.ts";
import { countOf } from "../terminal/counts.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { nameLost } from "./large-checks.ts";

const CHECK = "object store";
/** A signed call is valid for five minutes. */
const MAX_SKEW_MS = 60_000;

/** The advice for a code of an object store; each is a sentence. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^NoSuchBucket$/, "It has no such bucket. Make it, or correct --object-store."],
  [
    /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|Forbidden|status 403)$/,
    "It refuses the access key, or the key may not write, read, list and delete objects. Check --object-store-key-file and the region in --object-store.",
  ],
  [
    /^(PermanentRedirect|Authorization\w*|IllegalLocationConstraint\w*|status 30\d)$/,
    "The bucket is in another region. Correct 'region' in --object-store.",
  ],
  [/^RequestTimeTooSkewed$/, "Its clock differs from this machine's. Set the wrong one (timedatectl status)."],
  [/^Timeout$/, "It doesn't answer. Check --object-store and the network."],
  [/^ProbeNotKept$/, "It doesn't keep what it has said that it keeps."],
];

/**
 * Reports whether the object store can be used, and whether large secrets have their objects in it. Writes an object
 * and removes it again. No finding on a server without large secrets.
 */
export async function checkObjectStore(
  settings: Settings,
  place: PostgresPlace,
  installation: string,
  now: number,
): Promise<Finding[]> {
  try {
    const parts = await inspectLargeParts(place.connection);
    const store = readObjectStore(settings);
    if (!store) return parts.length === 0 ? [] : [unnamed(parts)];
    const objects = openObjectStore(store.options);
    const folder = store.folderOf(installation);
    const facts = await probeObjects(objects, folder);
    return [describeStore(store.name, facts, now), ...(await checkParts(objects, folder, parts, place))];
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) return [failed(CHECK, sentenceOf(error))];
    const { code } = error;
    const [, advice = "Check --object-store, its certificate and the network."] =
      ADVICE.find(([pattern]) => pattern.test(code)) ?? [];
    return [failed(CHECK, `The object store can't be used: ${code}. ${advice}`)];
  }
}

function unnamed(parts: readonly InspectedPart[]): Finding {
  const secrets = new Set(parts.map(({ secretId }) => secretId)).size;
  return failed(
    CHECK,
    `${countOf(secrets, "large secret")} can't be opened, because no object store is set. Give the one that has them, with --object-store.`,
  );
}

function describeStore(name: string, { version, storeTime }: ObjectFacts, now: number): Finding {
  if (version !== undefined) {
    return warning(
      CHECK,
      `'${name}' keeps versions of objects, so that erased large secrets stay there. Turn that off for the bucket, and delete the versions that it has.`,
    );
  }
  if (storeTime !== undefined && Math.abs(storeTime - now) > MAX_SKEW_MS) {
    const seconds = Math.round(Math.abs(storeTime - now) / 1000);
    return warning(
      CHECK,
      `The clocks of '${name}' and of this machine differ by ${seconds} seconds. At five minutes it refuses calls. Set the wrong one (timedatectl status).`,
    );
  }
  return fine(CHECK, `'${name}' takes, lists, hands out and deletes objects.`);
}

async function checkParts(
  objects: ObjectStore,
  folder: string,
  parts: readonly InspectedPart[],
  place: PostgresPlace,
): Promise<Finding[]> {
  if (parts.length === 0) return [];
  const found = new Map<string, number>();
  for await (const { key, bytes } of objects.list(`${folder}/`)) found.set(key, bytes);
  const isLost = ({ key, bytes }: InspectedPart) => found.get(key) !== bytes;
  const suspects = new Set(parts.filter(isLost).map(({ secretId }) => secretId));
  // One that was opened and erased meanwhile has no ciphertext any more.
  const now = suspects.size === 0 ? [] : await inspectLargeParts(place.connection);
  const lost = [...new Set(now.map(({ secretId }) => secretId))].filter((id) => suspects.has(id));
  if (lost.length === 0) return [fine("large secrets", "Every large secret has its objects in the object store.")];
  return [
    failed(
      "large secrets",
      `Objects of large secrets are missing from the object store, or aren't as long as they were: ${nameLost(lost)}`,
    ),
  ];
}
