/** One page of what a team has. */
export interface ListInput<State> {
  readonly teamId: string;
  readonly state: State | undefined;
  /** Only what this identity made. */
  readonly createdBy: string | undefined;
  readonly limit: number;
  /** Only what is older than the one with this id. */
  readonly before: string | undefined;
}
