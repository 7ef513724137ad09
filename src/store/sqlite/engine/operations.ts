import type { Operation, OperationTable, Run } from "../../../domain/transactions/operations.ts";
import type { Effects } from "./effects.ts";
import type { Writer } from "./writer.ts";

/** The caller of an operation; `aborted` is true once the caller is gone, as in an AbortSignal. */
type Caller = Pick<AbortSignal, "aborted">;

/** An operation of this engine, with `keepsKeys` when it changes no key, identity or team. */
interface LocalOperation extends Operation<unknown, unknown, Effects> {
  readonly keepsKeys?: boolean;
}

/** All operations that the writer knows. */
export interface Operations {
  /**
   * Adds a table and returns a function that runs its operations. An operation that changes no key, identity or team
   * has the member `keepsKeys`. Throws when a name is taken.
   */
  add<Table extends OperationTable>(table: Table): Run<Table>;
}

/** The operations, which run in the thread that defines them. */
export interface LocalOperations extends Operations {
  /** Runs the operation `name`, like the function that `add` returns. Throws when there is none. */
  perform(name: string, input: unknown, caller?: Caller): Promise<unknown>;
}

/**
 * The operations of `writer`, empty at first. Each runs with `effects`, those of the current transaction.
 * `noteKeyChange` is called in the transaction of an operation that may change a key, an identity or a team.
 */
export function createOperations(writer: Writer, effects: Effects, noteKeyChange: () => void): LocalOperations {
  const all = new Map<string, LocalOperation>();
  const perform = (name: string, input: unknown, caller?: Caller): Promise<unknown> => {
    const operation = all.get(name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const { kind, bytes, keepsKeys } = operation;
    const work = () => {
      if (caller?.aborted) return "abandoned";
      if (keepsKeys !== true) noteKeyChange();
      return operation.run(effects, input);
    };
    return writer.write(kind, work, bytes?.(input));
  };
  return {
    add<Table extends OperationTable>(table: Table) {
      for (const [name, operation] of Object.entries(table)) {
        if (all.has(name)) throw new Error(`there is an operation ${name} already`);
        all.set(name, operation as LocalOperation);
      }
      return perform as Run<Table>;
    },
    perform,
  };
}
