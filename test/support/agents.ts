import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult, JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { handoffCommand } from "./executable.ts";
import type { Person } from "./people.ts";

/** The host of an agent: an MCP client that has started `handoff mcp`. */
export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** Everything that went over the wire in either direction, as JSON. */
  readonly traffic: () => string;
  readonly stderr: () => string;
  /** Of the server. */
  readonly pid: number;
  /** Calls a tool that must succeed; resolves with its structured content. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  must(tool: string, input: Record<string, unknown>): Promise<any>;
  /** Calls a tool that must fail; resolves with what is said. */
  refusal(tool: string, input: Record<string, unknown>): Promise<string>;
}

/**
 * Starts `handoff mcp` as `person`, in their home, which is the allowed directory unless `args` name another, with
 * their key in a file, and connects to it as hosts do.
 */
export async function startAgent(
  person: Person,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  const [command = "", ...first] = handoffCommand();
  const { HANDOFF_API_KEY: apiKey, ...others } = person.env;
  const keyFile = join(person.home, "agent.key");
  if (apiKey !== undefined) writeFileSync(keyFile, `${apiKey}\n`, { mode: 0o600 });
  const transport = new StdioClientTransport({
    command,
    args: [...first, "mcp", ...(args.includes("--allow-dir") ? [] : ["--allow-dir", person.home]), ...args],
    cwd: person.home,
    env: { ...others, ...(apiKey === undefined ? {} : { HANDOFF_API_KEY_FILE: keyFile }), ...env },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Uint8Array) => (stderr += new TextDecoder().decode(chunk)));
  const log: string[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage) => {
    log.push(JSON.stringify(message));
    return send(message);
  };
  // Before connecting: the client goes on calling the handler that is there.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  transport.onmessage = (message: JSONRPCMessage) => void log.push(JSON.stringify(message));
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  // From now on the client compares results with the schemas of the tools.
  await client.listTools();
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;
  const textOf = ({ content: [part] }: CallToolResult) => (part?.type === "text" ? part.text : "");
  return {
    client,
    traffic: () => log.join("\n"),
    stderr: () => stderr,
    pid: transport.pid ?? 0,
    async must(tool, input) {
      const result = await call(tool, input);
      if (result.isError) throw new Error(`${tool}: ${textOf(result)}`);
      return result.structuredContent;
    },
    async refusal(tool, input) {
      const result = await call(tool, input);
      if (!result.isError) throw new Error(`${tool} did not fail`);
      return textOf(result);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
