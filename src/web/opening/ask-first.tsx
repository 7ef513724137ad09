import { LaterPart } from "../proving/later-part.tsx";
import type { AskProps } from "./ask-props.ts";

const load = () => import("./ask-approval.tsx");

/** The screens that ask for approval, and wait for it. */
export function AskFirst(props: AskProps) {
  return <LaterPart load={load} show={(part) => <part.AskApproval {...props} />} />;
}

/** What is said when the secret was opened by somebody else, or elsewhere. */
export function AskEnd() {
  return <LaterPart load={load} show={(part) => <part.NotHere />} />;
}
