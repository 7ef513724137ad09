import { Type } from "@sinclair/typebox";
import type { TString } from "@sinclair/typebox";
import { ID_PREFIXES } from "./id-prefixes.ts";
import type { IdKind } from "./id-prefixes.ts";

/** The schema of an id of `kind`. */
export function Id(kind: IdKind, description: string): TString {
  const prefix = ID_PREFIXES[kind];
  return Type.String({ pattern: `^${prefix}[0-9a-v]{26}$`, description, examples: [exampleId(kind)] });
}

/** A well-formed id of `kind` that belongs to nobody, for documentation. */
export function exampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}069q6gv7k1rqf8a0c2m4e6g8io`;
}

/** An http address. As a pattern: the check of the format `uri` would cost a creation a twentieth of its time. */
export const URL_PATTERN = "^https?://[^\\s]+$";

/** The schema of a point in time on the wire: RFC 3339, UTC, milliseconds. */
export function Timestamp(description: string): TString {
  return Type.String({ format: "date-time", description, examples: ["2026-11-21T09:30:00.000Z"] });
}
