/** The choice of one page of what a team has. */
export interface ListInput<State> {
  readonly teamId: string;
  readonly state: State | undefined;
  /** Only what this identity made. */
  readonly createdBy: string | undefined;
  /** Only what is about this ticket. */
  readonly reference?: string | undefined;
  readonly limit: number;
  /** Only what is older than the one with this id. */
  readonly before: string | undefined;
}

/** One page of a list. */
export interface Page<T> {
  /** As many as asked for; fewer on the last page, and where enough was looked at without finding more. */
  readonly items: readonly T[];
  /** The cursor of the next page, whose items are older than what it names; null on the last. */
  readonly nextCursor: string | null;
}
