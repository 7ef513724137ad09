import { joinLink, LinkError, splitLink } from "./links.ts";

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

/** Reads a backup link; whether its identity is whole, `findRecipient` finds out. Throws LinkError. */
export function parseBackupLink(text: string): BackupLink {
  const { baseUrl, id, fragment } = splitLink("backup", text);
  const ageIdentity = /^1\.(AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,})$/.exec(fragment)?.[1];
  if (ageIdentity === undefined) {
    if (/^(?!1(\.|$))\d/.test(fragment)) throw new LinkError("The link is of a newer version of handoff.");
    throw new LinkError("The link is cut off or mistyped: the part after the '#' is not as it was made.");
  }
  return { baseUrl, id, ageIdentity };
}

/** Writes a backup link. */
export function formatBackupLink({ baseUrl, id, ageIdentity }: BackupLink): string {
  return joinLink("backup", { baseUrl, id, fragment: `1.${ageIdentity}` });
}
