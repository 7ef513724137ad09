import { ValueErrorType } from "@sinclair/typebox/errors";
import type { ValueError } from "@sinclair/typebox/errors";
import { TELL_TALE_MEMBERS } from "../../contract/envelopes.ts";
import type { SchemaError, SchemaErrorCode } from "../../contract/problems.ts";
import { Refusal } from "../../domain/values/errors.ts";

const MAX_ERRORS = 20;

/**
 * The refusal of the `part` of a request, with pointers and without values: `plaintext_rejected` when a member has a
 * tell-tale name, else `schema_mismatch`. Names that the contract does not define are cut off a pointer.
 */
export function schemaRefusal(part: "body" | "query", errors: Iterable<ValueError>): Refusal {
  const found = new Map<string, SchemaErrorCode>();
  let tellTale = false;
  for (const error of errors) {
    const { pointer, isTellTale } = locate(part, error);
    tellTale ||= isTellTale;
    // TypeBox reports a missing member a second time, for its type.
    if (!found.has(pointer) && found.size < MAX_ERRORS) found.set(pointer, codeOf(error));
  }
  const list: SchemaError[] = [...found].map(([pointer, code]) => ({ pointer, code }));
  return new Refusal(tellTale ? "plaintext_rejected" : "schema_mismatch", { errors: list });
}

function locate(part: "body" | "query", error: ValueError): { pointer: string; isTellTale: boolean } {
  const prefix = part === "query" ? "/query" : "";
  const cut = error.path.lastIndexOf("/");
  const parent = prefix + error.path.slice(0, cut);
  const name = error.path.slice(cut + 1).toLowerCase();
  const isNamed = part === "body" && TELL_TALE_MEMBERS.includes(name);
  if (error.type !== ValueErrorType.ObjectAdditionalProperties) {
    // A note that is no envelope is a note in plaintext.
    return { pointer: prefix + error.path, isTellTale: isNamed && error.type === ValueErrorType.Object };
  }
  return { pointer: isNamed ? `${parent}/${name}` : parent, isTellTale: isNamed };
}

function codeOf({ type, value }: ValueError): SchemaErrorCode {
  switch (type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return "unexpected";
    case ValueErrorType.ObjectRequiredProperty:
      return "missing";
    case ValueErrorType.StringPattern:
    case ValueErrorType.StringFormat:
    case ValueErrorType.StringMinLength:
    case ValueErrorType.StringMaxLength:
      return "format";
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
      return "range";
    case ValueErrorType.Literal:
    case ValueErrorType.Union:
      return "value";
    // A string that is no ciphertext.
    case ValueErrorType.Kind:
      return typeof value === "string" ? "format" : "type";
    default:
      return "type";
  }
}
