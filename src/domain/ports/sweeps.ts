/** Applies changes that are due by time. Each call does a bounded step, and resolves true when there is more to do. */
export interface SweepStore {
  sweep(limit: number): Promise<boolean>;
}
