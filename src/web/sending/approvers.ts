import { useEffect, useState } from "preact/hooks";
import type { Approver } from "../../contract/states.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import type { Person } from "../service/clients.ts";
import { may } from "../service/scopes.ts";
import { PAGE } from "../texts/page.ts";
import type { ApproverChoice } from "./approver-choice.ts";

/** Loads the part of the page for choosing who has to approve. */
const load = () => import("./approver-field.tsx");
export type ApproverPart = Awaited<ReturnType<typeof load>>;

/** The choice of the person who has to approve, and the part of the page with which it is made. */
export interface ApproverDraft extends ApproverChoice {
  /** Undefined until it is loaded. */
  readonly part: ApproverPart | undefined;
  /** The complaint about a part that can't be loaded; empty when there is none. */
  readonly complaint: string;
  readonly load: () => void;
}

/** Chooses nobody at first, or the sender where the team asks for an approval; the team where that has to be. */
export function useApprover(person: Person): ApproverDraft {
  const { rules } = person.credential;
  const isRequired = rules?.approval != null;
  const choices: readonly (Approver | undefined)[] = [
    ...(isRequired ? [] : [undefined]),
    ...(rules?.approval !== "team" && may(person, "secrets:approve") ? (["sender"] as const) : []),
    "team",
  ];
  const [part, setPart] = useState<ApproverPart>();
  const [complaint, setComplaint] = useState("");
  const [chosen, choose] = useState(choices[0]);
  const loadOnce = () => void loadPart(load).then(setPart, () => setComplaint(PAGE.failed.stale));
  useEffect(() => {
    // The link that is sent says who decides.
    if (isRequired) loadOnce();
  }, []);
  return { chosen, choices, isRequired, part, complaint, choose, load: loadOnce };
}
