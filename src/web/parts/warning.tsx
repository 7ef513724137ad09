import type { ComponentChildren } from "preact";
import { Icon } from "../frame/icon.tsx";

/** A warning in the middle of a screen. With a role, screen readers announce it when it appears. */
export function Warning({ role, children }: { readonly role?: "status"; readonly children: ComponentChildren }) {
  return (
    <div class="notice warn" role={role}>
      <Icon name="warning" />
      <p>{children}</p>
    </div>
  );
}
