import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import type { Tone } from "../frame/notices.ts";

/** A state as the page shows it: a word with an icon and a tint. */
export interface ShownState {
  readonly text: string;
  readonly icon: IconName;
  /** Undefined for a state that is over and needs no action. */
  readonly tone: Tone | undefined;
}

export function StateChip({ state: { text, icon, tone } }: { readonly state: ShownState }) {
  return (
    <span class={tone ? `state ${tone}` : "state"}>
      <Icon name={icon} />
      {text}
    </span>
  );
}
