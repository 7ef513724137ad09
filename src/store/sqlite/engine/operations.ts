import type { Transaction } from "./transaction.ts";
import type { WriteKind, Writer } from "./writer.ts";

/** One thing that the writer can be asked to do. What goes in and what comes out is data, never a function. */
interface Operation<Input, Output> {
  readonly kind: WriteKind;
  /** About how much it adds to the database; only large ones need to say. */
  readonly bytes?: (input: Input) => number;
  /** Runs inside the transaction; must be synchronous. */
  readonly run: (tx: Transaction, input: Input) => Output;
}

/** Operations by their names. */
export type OperationTable = Readonly<Record<string, Operation<never, unknown>>>;

type InputOf<O> = O extends { readonly run: (tx: Transaction, input: infer Input) => unknown } ? Input : never;
type OutputOf<O> = O extends { readonly run: (tx: Transaction, input: never) => infer Output } ? Output : never;

/**
 * Runs operations of a table by their names. Resolves and rejects as `Writer.write` does; with "abandoned", and nothing
 * done, when `signal` says that the caller was gone before the operation began.
 */
export interface Run<Table extends OperationTable> {
  <Name extends keyof Table>(name: Name, input: InputOf<Table[Name]>): Promise<OutputOf<Table[Name]>>;
  <Name extends keyof Table>(
    name: Name,
    input: InputOf<Table[Name]>,
    signal: AbortSignal | undefined,
  ): Promise<OutputOf<Table[Name]> | "abandoned">;
}

/** The one who waits for an operation; `aborted` is true once they are gone, as in an AbortSignal. */
type Caller = Pick<AbortSignal, "aborted">;

/** All operations that the writer knows. */
export interface Operations {
  /** Adds a table and returns what runs its operations. Throws when a name is taken. */
  add<Table extends OperationTable>(table: Table): Run<Table>;
}

/** Operations that are run where they are known. */
export interface LocalOperations extends Operations {
  /** Runs the operation `name`, as what `add` returns does. Throws when there is none. */
  perform(name: string, input: unknown, caller?: Caller): Promise<unknown>;
}

/** The operations of `writer`, empty at first; each is handed `tx`, the transaction that it runs in. */
export function createOperations(writer: Writer, tx: Transaction): LocalOperations {
  const all = new Map<string, Operation<unknown, unknown>>();
  const perform = (name: string, input: unknown, caller?: Caller): Promise<unknown> => {
    const operation = all.get(name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const { kind, bytes } = operation;
    return writer.write(kind, () => (caller?.aborted ? "abandoned" : operation.run(tx, input)), bytes?.(input));
  };
  return {
    add<Table extends OperationTable>(table: Table) {
      for (const [name, operation] of Object.entries(table)) {
        if (all.has(name)) throw new Error(`there is an operation ${name} already`);
        all.set(name, operation as Operation<unknown, unknown>);
      }
      return perform as Run<Table>;
    },
    perform,
  };
}
