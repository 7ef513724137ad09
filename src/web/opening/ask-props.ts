import type { Secret } from "../../contract/secrets.ts";
import type { OpenLink } from "./links.ts";

/** An approval that was given. */
export interface Approved {
  /** Says so. */
  readonly text: string;
  /** Opens by `open`, and again whenever that may help. Returns a function that stops it. */
  readonly keepOpening: (open: () => Promise<void>) => () => void;
}

/** What it takes to ask for the approval of a claim. */
export interface AskProps {
  readonly link: OpenLink;
  readonly secret: Secret;
  /** True when an earlier ask, or its approval, is over. */
  readonly isOver: boolean;
  /** Returns the token of a proof; undefined when there is none. Throws ClientError. */
  readonly getProofToken: () => Promise<string | undefined>;
  /** Puts an error into words. */
  readonly complain: (error: unknown) => string;
  /** Called with an error of an ask. Returns a complaint or undefined; rejects with an error that it can't explain. */
  readonly onError: (error: unknown) => Promise<string | undefined>;
  readonly onApproved: (approval: Approved) => void;
}
