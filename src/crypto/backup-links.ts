import { faultyLink } from "./link-faults.ts";
import { joinLink, splitLink, strangeFragment } from "./links.ts";

/**
 * A link that opens the answers to a request in another browser or on another machine:
 * `{base_url}/c/{id}#1.{identity}`. The identity is spelled as age spells it, with its checksum.
 */
export interface BackupLink {
  readonly baseUrl: string;
  /** The id of the request. */
  readonly id: string;
  readonly ageIdentity: string;
}

const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,}/;
/** Characters of which an identity, as far as it is there, may have been. */
const BEGINNING = /^[-0-9A-Z]{0,80}$/;

/** Reads a backup link; whether its identity is whole, `findRecipient` finds out. Throws LinkError. */
export function parseBackupLink(text: string): BackupLink {
  const { baseUrl, id, fragment } = splitLink("backup", text);
  const [, key] = /^1\.(.*)$/.exec(fragment) ?? [];
  if (key === undefined) throw strangeFragment(fragment, ["1"]);
  const [ageIdentity = ""] = IDENTITY.exec(key) ?? [];
  if (ageIdentity === "") throw faultyLink(BEGINNING.test(key) ? "incomplete" : "mistyped");
  if (ageIdentity !== key) throw faultyLink("extra");
  return { baseUrl, id, ageIdentity };
}

/** Writes a backup link. */
export function formatBackupLink({ baseUrl, id, ageIdentity }: BackupLink): string {
  return joinLink("backup", { baseUrl, id, fragment: `1.${ageIdentity}` });
}
