import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { TObject } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { getCredential } from "../client/credentials.ts";
import type { Credential } from "../contract/credentials.ts";
import { toPrintableJson } from "../contract/names.ts";
import { ASK_PROMPT, askText, INSTRUCTIONS } from "./guides.ts";
import type { LocalBounds } from "./guides.ts";
import { collectToFile, openAsText, openToFile } from "./receive-tools.ts";
import { requestSecret, waitForAnswer } from "./request-tools.ts";
import { addResources } from "./resources.ts";
import { runWithSecret } from "./run-tools.ts";
import { listSecretStates, revokeSecretOrRequest, secretStatus } from "./secret-tools.ts";
import { sendFileOrVariable, sendText } from "./send-tools.ts";
import { InputError } from "./tools.ts";
import type { Tool, ToolCall } from "./tools.ts";
import type { Workspace } from "./workspace.ts";

export interface HandlerOptions {
  readonly version: string;
  readonly workspace: Workspace;
  readonly bounds: LocalBounds;
  /** Aborted when all calls must stop. */
  readonly signal: AbortSignal;
  /** Called with every call that takes a while, when it begins. */
  readonly onCall: (call: Promise<unknown>) => void;
  readonly era: "legacy" | "modern";
}

const UNEXPECTED_ANSWER =
  "The server's answer doesn't have the expected form. Check that HANDOFF_URL is a handoff server of a matching version.";
/** Deeper than the arguments of any tool are nested. */
const MAX_DEPTH = 20;
/** How long listing the tools waits for the server's answer about the key. */
const ASK_MS = 2000;

/**
 * Creates the MCP server for every revision of the protocol, not yet connected, and the function that starts reporting
 * changes of resources to hosts that subscribe with a filter.
 */
export function createHandlers({ version, workspace, bounds, signal, onCall, era }: HandlerOptions): {
  readonly server: Server;
  readonly startChanges: (uris: readonly string[]) => void;
} {
  const tools = toolsWithin(bounds);
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {} };
  const server = new Server(
    { name: "handoff", title: "handoff", version },
    { capabilities, instructions: INSTRUCTIONS },
  );
  const askServer = async (callSignal: AbortSignal): Promise<Credential | undefined> => {
    try {
      return await getCredential(
        await workspace.connect(AbortSignal.any([signal, callSignal, AbortSignal.timeout(ASK_MS)])),
      );
    } catch {
      // The called tool says what is missing.
      return undefined;
    }
  };

  const list = async (callSignal: AbortSignal) => {
    // Without a key, tools that need one can't work. Without the server, nobody knows the scopes of the key.
    const scopes = (await workspace.hasKey()) ? (await askServer(callSignal))?.scopes : [];
    return { tools: tools.filter((tool) => scopes === undefined || mayUse(tool, scopes)).map(describe) };
  };
  server.setRequestHandler("tools/list", (_request, { mcpReq }) => {
    const listing = list(mcpReq.signal);
    onCall(listing);
    return listing;
  });
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw invalidParams(missingTool(params.name));
    const call = callTool(tool, params.arguments ?? {}, {
      workspace,
      signal: AbortSignal.any([signal, context.mcpReq.signal]),
      report: (progress, total, message) => report(context, progress, total, message),
    });
    onCall(call);
    return call;
  });
  const startChanges = addResources(server, { workspace, bounds, signal, askServer, era });
  server.setRequestHandler("prompts/list", () => ({ prompts: [ASK_PROMPT] }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }) => {
    if (name !== ASK_PROMPT.name) throw invalidParams("There is no such prompt.");
    const what = given?.["what"];
    if (!what) throw invalidParams("The argument `what` is missing.");
    const text = askText(what, given?.["purpose"]);
    return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
  });
  return { server, startChanges };
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function toolsWithin({ run_with_secret: mayRun, plaintext_tools: mayReadPlaintext }: LocalBounds): readonly Tool[] {
  return [
    sendFileOrVariable,
    requestSecret,
    waitForAnswer,
    collectToFile,
    openToFile,
    ...(mayRun ? [runWithSecret] : []),
    secretStatus,
    listSecretStates,
    revokeSecretOrRequest,
    ...(mayReadPlaintext ? [sendText, openAsText] : []),
  ];
}

/** Says how to make the tool available. */
function missingTool(name: string): string {
  const isPlain = [sendText.name, openAsText.name].includes(name);
  const flag = isPlain ? "--allow-plaintext" : name === runWithSecret.name ? "--allow-run" : undefined;
  if (flag === undefined) return "There is no such tool.";
  return `There is no such tool: this server was started without ${flag}.`;
}

function mayUse({ scopes, isAnyScopeEnough }: Tool, held: readonly string[]): boolean {
  const isHeld = (scope: string) => held.includes(scope);
  return isAnyScopeEnough ? scopes.some(isHeld) : scopes.every(isHeld);
}

function describe({ name, title, description, input, output, annotations }: Tool) {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations };
}

/** Runs a tool. A failure becomes the result of the call, so that the model can react to it (MCP, "Tools"). */
async function callTool(tool: Tool, input: unknown, call: ToolCall): Promise<CallToolResult> {
  try {
    checkInput(tool.input, input);
    const result = await tool.run(input, call);
    // The server's data must not bring a sentence into the conversation.
    if (!Value.Check(tool.output, result)) throw new InputError(UNEXPECTED_ANSWER);
    return { content: [{ type: "text", text: toPrintableJson(result) }], structuredContent: result };
  } catch (error) {
    const text = call.workspace.explain(error);
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Throws InputError, which names members of the schema and never quotes the input. */
function checkInput(schema: TObject, input: unknown): void {
  if (isDeep(input, MAX_DEPTH)) throw new InputError("Invalid arguments. They are nested too deeply.");
  // It would be sent as a replacement character.
  if (!isWellFormed(input)) throw new InputError("A text has half of a character in it: a surrogate on its own.");
  if (Value.Check(schema, input)) return;
  const complaints = new Set(
    [...Value.Errors(schema, input)].map(({ path, message }) => {
      const [, member = ""] = path.split("/");
      return member in schema.properties ? `\`${member}\`: ${message}` : "There is an unknown one";
    }),
  );
  const known = Object.keys(schema.properties).join(", ") || "none";
  throw new InputError(`Invalid arguments. ${[...complaints].slice(0, 5).join(". ")}. Known arguments: ${known}.`);
}

function isDeep(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((member) => isDeep(member, most - 1));
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

async function report({ mcpReq }: ServerContext, progress: number, total: number, message: string): Promise<void> {
  // oxlint-disable-next-line no-underscore-dangle -- a name of the protocol
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total, message } });
}
