import type { ComponentChildren } from "preact";
import { splitUnseen } from "./unseen-characters.ts";

/**
 * A text with a mark before each character that is invisible or changes the order of the text around it, which it then
 * can't. Selecting and copying gives the text itself.
 */
export function ExactText({ text }: { readonly text: string }): ComponentChildren {
  return splitUnseen(text).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} class="unprinted">
        {part}
      </span>
    ),
  );
}
