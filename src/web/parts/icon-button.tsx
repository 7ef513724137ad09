import type { ComponentProps } from "preact";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";

/** A button that shows an icon alone. Its label is for screen readers and the pointer. */
export function IconButton(props: ComponentProps<"button"> & { readonly icon: IconName; readonly label: string }) {
  const { icon, label, ...rest } = props;
  return (
    <button type="button" class="button only-icon" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
