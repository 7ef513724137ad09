/** What happened in a run, by kind. */
export type Figures = Record<(typeof KINDS)[number], number>;

const KINDS = [
  "creates",
  "codes typed",
  "wrong codes refused",
  "asks",
  "approvals",
  "refusals",
  "decisions refused",
  "claims won",
  "claims repeated",
  "refused for a proof",
  "refused for an approval",
  "refused after the end",
  "tokens too old",
  "revoked",
  "acknowledged",
  "lost answers",
  "kills",
] as const;

export function newFigures(): Figures {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Figures;
}

export function lineOf(figures: Figures): string {
  return KINDS.map((kind) => `${figures[kind]} ${kind}`).join(", ");
}
