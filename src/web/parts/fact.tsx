import type { ComponentChildren } from "preact";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";

/** An entry in a list of facts, with what it means on a smaller line below it. */
export function Fact(props: {
  readonly icon: IconName;
  readonly meaning?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { icon, meaning, children } = props;
  return (
    <li>
      <Icon name={icon} />
      <span>
        {children}
        {meaning !== undefined && <small>{meaning}</small>}
      </span>
    </li>
  );
}
