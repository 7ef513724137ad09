import type { Operation, OperationTable, Run } from "../../../domain/transactions/operations.ts";
import type { Effects } from "./effects.ts";
import type { Writer } from "./writer.ts";

/** The caller of an operation; `aborted` is true once the caller is gone, as in an AbortSignal. */
type Caller = Pick<AbortSignal, "aborted">;

/** All operations that the writer knows. */
export interface Operations {
  /** Adds a table and returns a function that runs its operations. Throws when a name is taken. */
  add<Table extends OperationTable>(table: Table): Run<Table>;
}

/** The operations, which run in the thread that defines them. */
export interface LocalOperations extends Operations {
  /** Runs the operation `name`, like the function that `add` returns. Throws when there is none. */
  perform(name: string, input: unknown, caller?: Caller): Promise<unknown>;
}

/** The operations of `writer`, empty at first. Each runs with `effects`, those of the current transaction. */
export function createOperations(writer: Writer, effects: Effects): LocalOperations {
  const all = new Map<string, Operation<unknown, unknown, Effects>>();
  const perform = (name: string, input: unknown, caller?: Caller): Promise<unknown> => {
    const operation = all.get(name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const { kind, bytes } = operation;
    return writer.write(kind, () => (caller?.aborted ? "abandoned" : operation.run(effects, input)), bytes?.(input));
  };
  return {
    add<Table extends OperationTable>(table: Table) {
      for (const [name, operation] of Object.entries(table)) {
        if (all.has(name)) throw new Error(`there is an operation ${name} already`);
        all.set(name, operation as Operation<unknown, unknown, Effects>);
      }
      return perform as Run<Table>;
    },
    perform,
  };
}
