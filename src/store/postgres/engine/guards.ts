import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { toStoreError } from "./errors.ts";

/**
 * Wraps methods so that they reject as the port says: with a Refusal `storage_unavailable` when the database can't be
 * used, and as long as `isUsable` returns false. Calls `onFailure` with every error.
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
