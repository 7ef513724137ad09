import { useEffect, useState } from "preact/hooks";
import type { Rules } from "../../contract/credentials.ts";
import { PAGE } from "../texts/page.ts";
import type { ChangingPeople, PeopleDraft, PeopleQuestion } from "./people-kit.ts";

/** Loads the part of the page for choosing people. */
const loadPart = () => import("./people-field.tsx");
export type PeoplePart = Awaited<ReturnType<typeof loadPart>>;

/** Stands for everyone with the link. */
export const EVERYONE: PeopleDraft = { people: [], text: "", complaint: "" };

/** The people whom a link is for, and the part of the page with which they are chosen. */
export interface ChosenPeople extends ChangingPeople {
  /** Undefined until it is loaded, and where the server can't have an address proven. Without it, nobody is chosen. */
  readonly part: PeoplePart | undefined;
  /** True when the team asks for people, and none are typed. */
  readonly isMissing: boolean;
  readonly load: () => void;
}

/**
 * Chooses nobody at first. `isOffered` is false where the server can't have an address proven. The rules of the team
 * may ask for people, and for certain domains.
 */
export function useChosenPeople(
  question: PeopleQuestion,
  isOffered: boolean | null,
  rules: Rules | null = null,
): ChosenPeople {
  const [part, setPart] = useState<PeoplePart>();
  const [draft, change] = useState(EVERYONE);
  const fail = () => change({ ...EVERYONE, complaint: PAGE.failed.stale });
  const load = () => void (isOffered && loadPart().then(setPart, fail));
  const isRequired = isOffered === true && rules?.require_for === true;
  useEffect(() => {
    if (isRequired) load();
  }, []);
  const isMissing = isRequired && draft.people.length === 0 && draft.text.trim() === "";
  return { ...draft, question, isRequired, isMissing, domains: rules?.for_domain ?? null, part, change, load };
}
