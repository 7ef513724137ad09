/** Stores the time. */
export interface TimeStore {
  /**
   * Makes sure that the service's time never falls below `epochMs`, which is in the past, even across restarts: a
   * caller who was told that something expired must never be told otherwise. Rejects with a Refusal
   * `storage_unavailable`.
   */
  keepTime(epochMs: number): Promise<void>;
}
