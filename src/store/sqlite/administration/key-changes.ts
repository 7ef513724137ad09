import type { StoreContext } from "../engine/context.ts";
import type { Transaction } from "../engine/transaction.ts";

/** An operation after which no key is known any more. */
export function changesKeys<Input, Output>(
  { knownKeys }: Pick<StoreContext, "knownKeys">,
  change: (input: Input, tx: Transaction) => Output,
) {
  return {
    kind: "essential",
    run(tx: Transaction, input: Input): Output {
      knownKeys.forget();
      return change(input, tx);
    },
  } as const;
}
