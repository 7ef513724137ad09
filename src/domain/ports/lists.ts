/** Selects one page of a team's list. */
export interface ListInput<State> {
  readonly teamId: string;
  readonly state: State | undefined;
  /** Only rows made by this identity. */
  readonly createdBy: string | undefined;
  /** Only rows with this ticket. */
  readonly reference?: string | undefined;
  readonly limit: number;
  /** Only rows older than this id. */
  readonly before: string | undefined;
}

/** One page of a list. */
export interface Page<T> {
  /** Fewer than asked for on the last page, and where a search stopped after a bounded number of rows. */
  readonly items: readonly T[];
  /** The id before the next page; null on the last. */
  readonly nextCursor: string | null;
}
