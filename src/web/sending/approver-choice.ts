import type { Approver } from "../../contract/states.ts";

/** The person who has to approve each opening, as the sender chooses. */
export interface ApproverChoice {
  /** Undefined for nobody. */
  readonly chosen: Approver | undefined;
  /** What the scopes of the sender and the rules of the team allow. */
  readonly choices: readonly (Approver | undefined)[];
  /** True when the team asks for an approval. */
  readonly isRequired: boolean;
  readonly choose: (approver: Approver | undefined) => void;
}
