import { Type } from "@sinclair/typebox";
import type { AdjustableLimit } from "../contract/limits.ts";
import { formatBytes, formatDuration } from "./units.ts";

/** Any text, or several of them. */
export const text = { kind: "text", schema: Type.String({ minLength: 1 }) } as const;
export const list = { kind: "list", schema: Type.Array(Type.String({ minLength: 1 })) } as const;
/** A regular expression for mail addresses, without anchors. */
export const MAIL_ADDRESS = String.raw`[^\s"<>@:/?#]+@[^\s"<>@:/?#]+`;

/** A limit of the contract as a setting; `value` is its default. */
export function limit<K extends keyof typeof LIMIT_KINDS>(
  kind: K,
  { min, max, default: usual }: AdjustableLimit,
  value: number = usual,
) {
  const { valueName, format } = LIMIT_KINDS[kind];
  return { kind, schema: Type.Integer({ minimum: min, maximum: max }), default: format(value), valueName };
}

const LIMIT_KINDS = {
  integer: { valueName: "N", format: String },
  bytes: { valueName: "SIZE", format: formatBytes },
  duration: { valueName: "DURATION", format: formatDuration },
} as const;
