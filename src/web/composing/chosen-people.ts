import { useState } from "preact/hooks";
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
  readonly load: () => void;
}

/** Chooses nobody at first. `isOffered` is false where the server can't have an address proven. */
export function useChosenPeople(question: PeopleQuestion, isOffered: boolean | null): ChosenPeople {
  const [part, setPart] = useState<PeoplePart>();
  const [draft, change] = useState(EVERYONE);
  const fail = () => change({ ...EVERYONE, complaint: PAGE.failed.stale });
  const load = () => void (isOffered && loadPart().then(setPart, fail));
  return { ...draft, question, part, change, load };
}
