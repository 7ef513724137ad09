import { authenticate } from "../../src/domain/callers.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { Refusal } from "../../src/domain/values/errors.ts";
import { secretCalls } from "./secret-calls.ts";
import type { SecretCalls } from "./secret-calls.ts";
import { openTestService } from "./service.ts";
import type { TestService } from "./service.ts";
import type { TestStorage } from "./storages.ts";

/** The rules of secrets over a real database, called as one identity of one team. */
export interface TestSecrets extends SecretCalls, AsyncDisposable {
  readonly backend: TestService;
}

/** Opens them over `storage`, or over one of the engine that this run is for. */
export async function openTestSecrets(policy: Partial<ServerPolicy> = {}, storage?: TestStorage): Promise<TestSecrets> {
  const backend = await openTestService(policy, storage);
  const { token } = await backend.mint();
  const caller = await authenticate(backend.service, token, undefined);
  return {
    ...secretCalls(backend, caller),
    backend,
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  };
}

/** The code of the Refusal that `promise` rejects with; undefined when it resolves. Any other error is thrown. */
export async function refusalOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** A ciphertext of `length` characters that is full of a marker which is nowhere else. */
export function markedCiphertext(length: number): { readonly marker: string; readonly ciphertext: string } {
  const marker = `marker-${crypto.randomUUID()}-`;
  return { marker, ciphertext: marker.repeat(Math.ceil(length / marker.length)).slice(0, length) };
}
