import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Server } from "@modelcontextprotocol/server";
import { followEvents } from "../client/events.ts";
import { getRequest } from "../client/requests.ts";
import { getSecret } from "../client/secrets.ts";
import type { Credential } from "../contract/credentials.ts";
import { isId } from "../contract/ids.ts";
import { CONTRACT_RESOURCE, CONTRACT_TEXT, LIMITS_RESOURCE, limitsText } from "./guides.ts";
import type { LocalBounds } from "./guides.ts";
import { toRequestStatus } from "./request-tools.ts";
import { toStatus } from "./secret-tools.ts";
import type { Workspace } from "./workspace.ts";

const JSON_TYPE = "application/json";
const SECRETS = "handoff://secrets/";
const REQUESTS = "handoff://requests/";

const TEMPLATES = [
  {
    uriTemplate: `${SECRETS}{id}`,
    name: "secret",
    title: "State of a secret",
    description: "What secret_status says, without what happened. Subscribers are notified of changes.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${REQUESTS}{id}`,
    name: "request",
    title: "State of a request",
    description: "Its state and what was handed in. Subscribers are notified of changes.",
    mimeType: JSON_TYPE,
  },
];

/** The sources of the resources. */
interface ResourceOptions {
  readonly workspace: Workspace;
  readonly bounds: LocalBounds;
  /** Aborted when the program ends. */
  readonly signal: AbortSignal;
  /** Asks the server about the API key; undefined when it can't be asked. */
  readonly askServer: (signal: AbortSignal) => Promise<Credential | undefined>;
  /** How hosts subscribe: to each resource ("legacy"), or with a filter that the library handles ("modern"). */
  readonly era: "legacy" | "modern";
}

/**
 * Makes `server` answer for its resources. The returned function starts reporting changes of `uris` to hosts with a
 * filter, and reports each once at the beginning, because it may have changed before.
 */
export function addResources(server: Server, options: ResourceOptions): (uris: readonly string[]) => void {
  const { era, signal } = options;
  const subscribed = new Set<string>();
  const tell = (uri: string) => {
    if (era === "modern" || subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined);
  };
  const changes = createChanges(options, tell);
  server.setRequestHandler("resources/list", () => ({ resources: [CONTRACT_RESOURCE, LIMITS_RESOURCE] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const { mimeType, text } = await read(uri, options, AbortSignal.any([signal, mcpReq.signal]));
    return { contents: [{ uri, mimeType, text }] };
  });
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    checkUri(uri);
    subscribed.add(uri);
    // Changes after this answer are reported.
    await changes.start();
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(uri);
    if (subscribed.size === 0) changes.stop();
    return {};
  });
  return (uris) => {
    if (uris.length > 0) void changes.start().then(() => uris.forEach(tell));
  };
}

/** The id in the URI of a resource; undefined for none. */
function idOf(uri: string): { readonly kind: "secret" | "request"; readonly id: string } | undefined {
  const kind = uri.startsWith(SECRETS) ? "secret" : "request";
  const start = kind === "secret" ? SECRETS : REQUESTS;
  const id = uri.slice(start.length);
  return uri.startsWith(start) && isId(id, kind) ? { kind, id } : undefined;
}

function checkUri(uri: string): void {
  if (uri !== CONTRACT_RESOURCE.uri && uri !== LIMITS_RESOURCE.uri && !idOf(uri)) throw noResource();
}

function noResource(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such resource.");
}

async function read(
  uri: string,
  { workspace, bounds, askServer }: ResourceOptions,
  signal: AbortSignal,
): Promise<{ readonly mimeType: string; readonly text: string }> {
  if (uri === CONTRACT_RESOURCE.uri) return { mimeType: CONTRACT_RESOURCE.mimeType, text: CONTRACT_TEXT };
  if (uri === LIMITS_RESOURCE.uri) {
    const text = limitsText((await askServer(signal)) ?? null, bounds);
    return { mimeType: LIMITS_RESOURCE.mimeType, text };
  }
  const named = idOf(uri);
  if (!named) throw noResource();
  try {
    const client = await workspace.connect(signal);
    const state =
      named.kind === "secret"
        ? toStatus(await getSecret(client, named.id))
        : toRequestStatus(await getRequest(client, named.id));
    return { mimeType: JSON_TYPE, text: JSON.stringify(state) };
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, workspace.explain(error));
  }
}

/** Follows the team's events between `start` and `stop`, and calls `onChange` with the URI of each changed resource. */
function createChanges({ workspace, signal }: ResourceOptions, onChange: (uri: string) => void) {
  let following: { readonly own: AbortController; readonly begun: Promise<void> } | undefined;
  const follow = async (own: AbortController, onBegin: () => void) => {
    const over = AbortSignal.any([signal, own.signal]);
    try {
      const client = await workspace.connect(over);
      for await (const { secret_id: secret, request_id: request } of followEvents(client, {
        after: "now",
        signal: over,
        onBegin,
      })) {
        if (secret !== null) onChange(SECRETS + secret);
        if (request !== null) onChange(REQUESTS + request);
      }
    } catch {
      // Without a server, or a key that may read events, changes aren't reported; reading a resource says why. The next
      // subscription tries again.
      if (following?.own === own) following = undefined;
      onBegin();
    }
  };
  return {
    /** Resolves when no change can be missed any more, or when following has failed. */
    start(): Promise<void> {
      if (following) return following.begun;
      const [own, begun] = [new AbortController(), Promise.withResolvers<void>()];
      following = { own, begun: begun.promise };
      void follow(own, begun.resolve);
      return begun.promise;
    },
    stop() {
      following?.own.abort();
      following = undefined;
    },
  };
}
