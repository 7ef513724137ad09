import { ClientError } from "../../src/client/errors.ts";
import type { CallOptions, HttpClient } from "../../src/client/http-client.ts";
import type { OperationId } from "../../src/contract/operations.ts";
import type { ErrorKind } from "../../src/contract/user-errors.ts";

/** Answers of a server, as JSON; what they throw is what the client throws. */
export type TestAnswers = Partial<Record<OperationId, (options: CallOptions) => unknown>>;

/** A client without a server: each call is answered by a function, and recorded. It has no streams. */
export interface TestClient extends HttpClient {
  readonly calls: readonly (CallOptions & { readonly operation: OperationId })[];
  /** The names of what was called so far, in order. */
  readonly called: () => OperationId[];
}

/** A client of no server. A call without an answer is a bug of the test, or of what it tests. */
export function createTestClient(answers: TestAnswers, baseUrl = "https://handoff.example"): TestClient {
  const calls: (CallOptions & { readonly operation: OperationId })[] = [];
  return {
    baseUrl,
    options: { baseUrl, credential: undefined, fetch: async () => Response.json({}) },
    calls,
    called: () => calls.map(({ operation }) => operation),
    async call(operation: OperationId, options: CallOptions = {}) {
      calls.push({ operation, ...options });
      const answer = answers[operation];
      if (!answer) throw new Error(`nobody expected a call of ${operation}`);
      return answer(options);
    },
  };
}

/** Throws what a client throws; a shorthand for answers. */
export function refuse(code: ClientError["code"], kind: ErrorKind = "failure"): never {
  throw new ClientError(code, kind, `${code}.`);
}

/** Resolves what a promise rejects with; undefined when it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The first example of a schema of the contract, with some members changed. */
export function exampleOf<T>(schema: { readonly examples?: unknown; readonly static: T }, changes: Partial<T> = {}): T {
  const [example] = schema.examples as readonly T[];
  if (!example) throw new Error("the schema has no example");
  return { ...example, ...changes };
}

/** The members about the terms that a call asks for, as a server answers that takes them. */
export function takenTerms({ query = {} }: CallOptions, createdAt: string): object {
  const { expires_in: seconds, max_claims: claims, max_submissions: submissions, for: chosen } = query;
  return {
    ...(seconds === undefined
      ? {}
      : { expires_at: new Date(Date.parse(createdAt) + 1000 * Number(seconds)).toISOString() }),
    ...(claims === undefined ? {} : { max_claims: claims }),
    ...(submissions === undefined ? {} : { max_submissions: submissions }),
    ...(chosen === undefined ? {} : { for: String(chosen).split(",") }),
  };
}
