import { readFileSync, writeFileSync } from "node:fs";
import { OptionalKind } from "@sinclair/typebox";
import type { TSchema } from "@sinclair/typebox";
import { COMMANDS, SHAPES } from "../test/support/json-shapes.ts";
import type { Printed } from "../test/support/json-shapes.ts";
import { listItem, withSection } from "./markdown-lists.ts";

const FILE = "src/manual/json.md";

/** What each command prints, in Markdown. */
function commandsList(): string {
  const byPrinted = new Map<string, string[]>();
  for (const [command, printed] of Object.entries(COMMANDS)) {
    const what = printed.map(describe).join(", or ") || "errors alone";
    byPrinted.set(what, [...(byPrinted.get(what) ?? []), `\`${command}\``]);
  }
  return [...byPrinted].map(([what, names]) => listItem(`${names.join(", ")}: ${what}`)).join("\n");
}

/** The members of each object, in Markdown. */
function membersList(): string {
  const items = Object.entries(SHAPES).map(([name, { base, members }]) => {
    const own = Object.entries(members).map(([member, schema]) => `\`${member}\`${typeOf(schema)}`);
    return listItem(`**${name}**: ${base ? `all of a ${base}, and ` : ""}${own.join(", ")}`);
  });
  return items.join("\n");
}

function describe({ as, shape, last }: Printed): string {
  const end = last ? `, and at the end ${last}` : "";
  return as === "object" ? shape : `${as === "array" ? "array" : "a line each"}: ${shape}${end}`;
}

/** The type of a member, with a space before it; empty for a string of any form. */
function typeOf(schema: TSchema): string {
  const name = nameOf(schema);
  if (schema[OptionalKind as never] !== undefined || isNullable(schema)) return ` ${name || "string"}?`;
  return name && ` ${name}`;
}

function isNullable({ anyOf }: TSchema): boolean {
  return anyOf?.some(({ type }: TSchema) => type === "null") === true;
}

function nameOf(schema: TSchema): string {
  const { title, type, anyOf } = schema;
  if (isNullable(schema)) return nameOf(anyOf.find((each: TSchema) => each["type"] !== "null"));
  if (title !== undefined) return type === "object" || type === "array" || anyOf ? `(${title})` : title;
  return { integer: "number", boolean: "boolean" }[String(type)] ?? "";
}

/** `topic` with the current lists. Throws when one of its sections is missing. */
export function withJsonLists(topic: string): string {
  return withSection(withSection(topic, "What each command prints", commandsList()), "Members", membersList());
}

if (import.meta.main) writeFileSync(FILE, withJsonLists(readFileSync(FILE, "utf8")));
