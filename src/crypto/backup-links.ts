import { faultyLink } from "./link-faults.ts";
import { joinLink, splitLink, strangeFragment } from "./links.ts";

/** A link to a request's submissions: `{base_url}/c/{id}#1.{identity}`. The identity is spelled as by age. */
export interface BackupLink {
  readonly baseUrl: string;
  /** The id of the request. */
  readonly id: string;
  readonly ageIdentity: string;
}

const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,}/;
/** The beginning of an identity that was cut off. */
const BEGINNING = /^[-0-9A-Z]{0,80}$/;

/** Parses a backup link. `findRecipient` checks its identity. Throws LinkError. */
export function parseBackupLink(text: string): BackupLink {
  const { baseUrl, id, fragment } = splitLink("backup", text);
  const [, key] = /^1\.(.*)$/.exec(fragment) ?? [];
  if (key === undefined) throw strangeFragment(fragment, ["1"]);
  const [ageIdentity = ""] = IDENTITY.exec(key) ?? [];
  if (ageIdentity === "") throw faultyLink(BEGINNING.test(key) ? "incomplete" : "mistyped");
  if (ageIdentity !== key) throw faultyLink("extra");
  return { baseUrl, id, ageIdentity };
}

/** Formats a backup link. */
export function formatBackupLink({ baseUrl, id, ageIdentity }: BackupLink): string {
  return joinLink("backup", { baseUrl, id, fragment: `1.${ageIdentity}` });
}
