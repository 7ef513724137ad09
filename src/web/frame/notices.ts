import type { ComponentChildren } from "preact";
import type { IconName } from "./icon.tsx";

/** The color of the icon of a screen. Without one, the screen is an end that needs no action. */
export type Tone = "good" | "wait" | "warn" | "alarm";

/** A sentence with a title. */
export interface Notice {
  readonly title: string;
  /** Says it all, also where there is no title. */
  readonly text: string;
  /** The text below the title, where that would say twice what the title says. */
  readonly lede?: string;
  /** The same as the title, as a sentence. */
  readonly bare?: string;
  /** True when it makes sense to try the same again. */
  readonly canRetry?: boolean;
  /** The icon above the title; a warning where it is absent. */
  readonly icon?: IconName;
  readonly tone?: Tone;
  /** A thing below the text by which something can be done about it. */
  readonly below?: ComponentChildren;
}
