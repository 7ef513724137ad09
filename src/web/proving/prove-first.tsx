import { LaterPart } from "./later-part.tsx";
import type { ProveProps } from "./proofs.ts";

/** The part of a screen that asks for the proof of an address. */
export function ProveFirst(props: ProveProps) {
  return <LaterPart load={() => import("./prove-address.tsx")} show={(part) => <part.ProveAddress {...props} />} />;
}
