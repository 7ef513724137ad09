import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import type { Tone } from "../frame/notices.ts";

/** A state as it is seen: a word with an icon, and a tint. */
export interface ShownState {
  readonly text: string;
  readonly icon: IconName;
  /** Without one it is over, and nobody has to do anything about it. */
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
