import type { ComponentChildren } from "preact";
import type { IconName } from "./icon.tsx";

/** The state of the secret that a card stands for: an envelope that is closed, open, or empty. */
export type EnvelopeShape = "closed" | "open" | "over";

/** The color of a screen's icon. Without one, the screen is an end that needs no action. */
export type Tone = "good" | "wait" | "warn";

/** A sentence with a title. */
export interface Notice {
  readonly title: string;
  /** The complete text, for places without a title. */
  readonly text: string;
  /** A shorter text below the title, so that it does not repeat the title. */
  readonly lede?: string;
  /** The title as a sentence. */
  readonly bare?: string;
  /** True when trying again makes sense. */
  readonly canRetry?: boolean;
  /** The icon above the title; a warning by default. */
  readonly icon?: IconName;
  readonly tone?: Tone;
  /** The shape of the card, when the notice is about a secret. */
  readonly envelope?: EnvelopeShape;
  /** Content below the text, such as a field or a button that helps. */
  readonly below?: ComponentChildren;
}
