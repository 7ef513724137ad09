import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Static, TObject } from "@sinclair/typebox";
import type { Scope } from "../contract/scopes.ts";
import { UserError } from "../contract/user-errors.ts";
import type { Workspace } from "./workspace.ts";

/** One call of a tool. */
export interface ToolCall {
  readonly workspace: Workspace;
  /** Aborted when the host cancels the call. */
  readonly signal: AbortSignal;
  /** Reports progress to the host, if it has asked for that. */
  readonly report: (progress: number, total: number, message: string) => Promise<void>;
}

/** A tool. Its structured result never has plaintext, unless its name says so. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  readonly output: TObject;
  readonly annotations: ToolAnnotations;
  /** The scopes that the API key must have; empty when no key is needed. */
  readonly scopes: readonly Scope[];
  /** True when any one of the scopes is enough. */
  readonly isAnyScopeEnough?: boolean;
  /** Runs the tool with checked `input`. Throws errors for `Workspace.explain`. */
  readonly run: (input: unknown, call: ToolCall) => Promise<Record<string, unknown>>;
}

/** The input is invalid. The message tells the model why. */
export class InputError extends UserError {
  override readonly name = "InputError";

  constructor(message: string) {
    super("usage", message);
  }
}

/** Defines a tool with the types of its schemas. */
export function defineTool<Input extends TObject, Output extends TObject>(
  tool: Omit<Tool, "input" | "output" | "run"> & {
    readonly input: Input;
    readonly output: Output;
    readonly run: (input: Static<Input>, call: ToolCall) => Promise<Static<Output>>;
  },
): Tool {
  return { ...tool, run: async (input, call) => ({ ...(await tool.run(input as Static<Input>, call)) }) };
}
