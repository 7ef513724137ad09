import { OPENING } from "../texts/opening.ts";

const { opened } = OPENING;

/** The pattern over a hidden value. Its width says nothing about the value. */
export function Veil({ length }: { readonly length: number }) {
  return (
    <>
      <span class="veil" aria-hidden="true" />
      <span class="unseen">{opened.hidden(length)}</span>
    </>
  );
}
