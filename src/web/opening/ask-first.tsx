import { LaterPart } from "../proving/later-part.tsx";
import type { AskProps } from "./ask-props.ts";

/** The screens that ask for approval, and wait for it. */
export function AskFirst(props: AskProps) {
  return <LaterPart load={() => import("./ask-approval.tsx")} show={(part) => <part.AskApproval {...props} />} />;
}
