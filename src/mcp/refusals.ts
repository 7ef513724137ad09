import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** The answer to a line that isn't a valid message; `id` is null when the line has no valid one. */
interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

const DUMPED = "The parameters of this method are not valid.";
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Returns the error for an invalid message (JSON-RPC 2.0, section 5.1); undefined for one that may be valid. */
export function refusalOf(line: Uint8Array): Refusal | undefined {
  let message: unknown;
  try {
    message = JSON.parse(UTF8.decode(line));
  } catch {
    return refuse(null, ProtocolErrorCode.ParseError, "The message is not valid JSON in UTF-8.");
  }
  if (Array.isArray(message)) return invalid(null, "Batches aren't supported. Send one message on each line.");
  if (!isObject(message)) return invalid(null, "The message is not a JSON object.");
  const { id } = message;
  const isRequest = "id" in message;
  if (isRequest && !isId(id)) return invalid(null, "`id` must be a string or an integer.");
  const answered = isId(id) ? id : null;
  if (message["jsonrpc"] !== "2.0") return invalid(answered, '`jsonrpc` must be "2.0".');
  // Answers to this server's own requests aren't refused.
  if (!("method" in message) && ("result" in message || "error" in message)) return undefined;
  if (typeof message["method"] !== "string") return invalid(answered, "`method` must be a string.");
  if ("params" in message && !isObject(message["params"])) {
    return refuse(answered, ProtocolErrorCode.InvalidParams, "`params` must be an object.");
  }
  return undefined;
}

/** Returns the message with a validator's errors cut to one sentence, because they repeat the schema at length. */
export function withoutDump(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { code, message: text } = message.error;
  return /[\n{[]/.test(text) ? { ...message, error: { code, message: DUMPED } } : message;
}

function invalid(id: Refusal["id"], message: string): Refusal {
  return refuse(id, ProtocolErrorCode.InvalidRequest, message);
}

function refuse(id: Refusal["id"], code: number, message: string): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
