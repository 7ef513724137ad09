import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { toStoreError } from "./errors.ts";

/**
 * The same methods, which reject as the port has it: with a Refusal `storage_unavailable` when the database can't be used, and until
 * `isUsable`. Tells `onFailure` of all that goes wrong.
 */
export function guard<T extends object>(
  methods: T,
  { isUsable, onFailure }: { readonly isUsable: () => boolean; readonly onFailure: (error: unknown) => void },
): T {
  const guarded = (method: (...args: unknown[]) => unknown) => {
    return async (...args: unknown[]): Promise<unknown> => {
      if (!isUsable()) throw storageUnavailable();
      try {
        return await method(...args);
      } catch (error) {
        onFailure(error);
        throw toStoreError(error);
      }
    };
  };
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, guarded(method)])) as T;
}
