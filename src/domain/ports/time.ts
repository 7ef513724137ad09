/** Keeps the time. */
export interface TimeStore {
  /**
   * Makes sure that time never falls below `epochMs` again, which has come, across restarts either: whoever has been told
   * that something expired must never be told otherwise. Rejects with a Refusal `storage_unavailable`.
   */
  keepTime(epochMs: number): Promise<void>;
}
