import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { TObject } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { getCredential } from "../client/secrets.ts";
import type { Credential } from "../contract/credentials.ts";
import {
  ASK_PROMPT,
  askText,
  CONTRACT_RESOURCE,
  CONTRACT_TEXT,
  INSTRUCTIONS,
  LIMITS_RESOURCE,
  limitsText,
  type LocalBounds,
} from "./guides.ts";
import { collectToFile, openAsText, openToFile } from "./receive-tools.ts";
import { requestSecret, waitForAnswer } from "./request-tools.ts";
import { runWithSecret } from "./run-tools.ts";
import { listSecretStates, revokeSecretOrRequest, secretStatus } from "./secret-tools.ts";
import { sendFileOrVariable, sendText } from "./send-tools.ts";
import { InputError, type Tool, type ToolCall } from "./tools.ts";
import type { Workspace } from "./workspace.ts";

/** What comes in and goes out: standard input and output. */
export interface McpStreams {
  readonly input: NonNullable<ConstructorParameters<typeof StdioServerTransport>[0]>;
  readonly output: NonNullable<ConstructorParameters<typeof StdioServerTransport>[1]>;
}

export interface McpOptions {
  readonly version: string;
  readonly workspace: Workspace;
  readonly bounds: LocalBounds;
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
  /** Writes a line for whoever reads the log of the host. */
  readonly log: (line: string) => void;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const RESOURCE_NOT_FOUND = -32_002;
/** What calls that are under way get to answer, when the program is to end. */
const GRACE_MS = 1000;
/** And then to stop what they have started. */
const STOP_MS = 3000;
/** A server that does not answer must not keep the tools from being listed. */
const ASK_MS = 2000;

/**
 * Speaks the Model Context Protocol until the input ends or `signal` is aborted; calls that are under way then have a
 * moment to answer.
 */
export async function serveMcp(options: McpOptions, { input, output }: McpStreams): Promise<void> {
  const calls = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const server = createServer({ ...options, signal }, (call) => {
    calls.add(call);
    void call.finally(() => calls.delete(call)).catch(() => undefined);
  });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  server.onclose = end;
  // Many calls at once are many writers that wait.
  output.setMaxListeners?.(0);
  // A host that is gone reads no answers.
  output.on("error", end);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  server.onerror = ({ message }) =>
    options.log(`a message of the host could not be read: ${explainTransport(message)}`);
  input.once("end", end);
  options.signal.addEventListener("abort", () => end());
  await server.connect(new StdioServerTransport(input, output));
  await over;
  await settled(calls, GRACE_MS);
  stopping.abort();
  await settled(calls, STOP_MS);
  // An answer is written after its call has ended.
  await new Promise((resolve) => void setTimeout(resolve, 0));
  await server.close();
}

/** Resolves once all calls have ended, or after that time. */
async function settled(calls: ReadonlySet<Promise<unknown>>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([Promise.allSettled(calls), over]);
  clearTimeout(timer);
}

/** Without what the message quotes. */
function explainTransport(message: string): string {
  return /maximum|exceed|too large|limit/i.test(message) ? "it is too long" : "it is not one of the protocol";
}

function createServer({ version, workspace, bounds, signal }: McpOptions, onCall: (call: Promise<unknown>) => void) {
  const tools = toolsWithin(bounds);
  const capabilities = { tools: {}, resources: {}, prompts: {} };
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
      // Without a key, or without a server, links can still be opened; what else is called says what is missing.
      return undefined;
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, async (_request, extra) => {
    const scopes = (await askServer(extra.signal))?.scopes;
    return { tools: tools.filter((tool) => scopes === undefined || mayUse(tool, scopes)).map(describe) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no such tool${flagFor(params.name)}.`);
    const call = callTool(tool, params.arguments ?? {}, {
      workspace,
      signal: AbortSignal.any([signal, extra.signal]),
      report: (progress, total, message) => report(extra, progress, total, message),
    });
    onCall(call);
    return call;
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [CONTRACT_RESOURCE, LIMITS_RESOURCE] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    switch (uri) {
      case CONTRACT_RESOURCE.uri:
        return { contents: [{ uri, mimeType: CONTRACT_RESOURCE.mimeType, text: CONTRACT_TEXT }] };
      case LIMITS_RESOURCE.uri: {
        const { scopes, limits } = (await askServer(extra.signal)) ?? {};
        const text = limitsText(scopes && limits ? { scopes, limits } : null, bounds);
        return { contents: [{ uri, mimeType: LIMITS_RESOURCE.mimeType, text }] };
      }
      default:
        throw new McpError(RESOURCE_NOT_FOUND, "There is no such resource.");
    }
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [ASK_PROMPT] }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given } }) => {
    if (name !== ASK_PROMPT.name) throw new McpError(ErrorCode.InvalidParams, "There is no such prompt.");
    const what = given?.["what"];
    if (!what) throw new McpError(ErrorCode.InvalidParams, "The argument `what` is missing.");
    const text = askText(what, given?.["purpose"]);
    return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
  });
  return server;
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

/** What would make the tool be there. */
function flagFor(name: string): string {
  if (name === runWithSecret.name) return " without --allow-run, with which this server has to be started";
  const isPlain = [sendText.name, openAsText.name].includes(name);
  return isPlain ? " without --allow-plaintext, with which this server has to be started" : "";
}

function mayUse({ scopes, isAnyScopeEnough }: Tool, held: readonly string[]): boolean {
  const isHeld = (scope: string) => held.includes(scope);
  return isAnyScopeEnough ? scopes.some(isHeld) : scopes.every(isHeld);
}

function describe({ name, title, description, input, output, annotations }: Tool) {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations };
}

/** What fails is told to the model as the result of the call, so that it can do something about it (MCP, "Tools"). */
async function callTool(tool: Tool, input: unknown, call: ToolCall): Promise<CallToolResult> {
  try {
    checkInput(tool.input, input);
    const result = await tool.run(input, call);
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    const text = call.workspace.explain(error);
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Throws InputError, which names members of the schema and nothing that was given. */
function checkInput(schema: TObject, input: unknown): void {
  if (Value.Check(schema, input)) return;
  const complaints = new Set(
    [...Value.Errors(schema, input)].map(({ path, message }) => {
      const [, member = ""] = path.split("/");
      return `${member in schema.properties ? `\`${member}\`` : "a member that there is not"}: ${message}`;
    }),
  );
  const known = Object.keys(schema.properties).join(", ") || "none";
  throw new InputError(`The arguments do not fit. ${[...complaints].slice(0, 5).join("; ")}. There are: ${known}.`);
}

async function report(extra: Extra, progress: number, total: number, message: string): Promise<void> {
  // oxlint-disable-next-line no-underscore-dangle -- a name of the protocol
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  await extra.sendNotification({
    method: "notifications/progress",
    params: { progressToken, progress, total, message },
  });
}
