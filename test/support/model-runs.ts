/**
 * The number of sequences that each model is compared with a store over: 20, or `MODEL_RUNS`, as `scripts/models` sets
 * it.
 */
export const MODEL_RUNS = Number(process.env["MODEL_RUNS"] ?? 20);
