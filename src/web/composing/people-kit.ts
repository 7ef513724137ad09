import type { Dispatch, StateUpdater } from "preact/hooks";
import { Complaint } from "../parts/complaint.tsx";
import { IconButton } from "../parts/icon-button.tsx";

/**
 * What the part for choosing people uses of the page. It gets this as an argument: if it imported it, the bundler would
 * cut what everybody loads into more and larger files.
 */
export const PEOPLE_KIT = { Complaint, IconButton };
export type PeopleKit = typeof PEOPLE_KIT;

/** The people whom a link is for, as they are chosen. */
export interface PeopleDraft {
  /** Addresses, and domains as `*@example.com`; none for everyone with the link. */
  readonly people: readonly string[];
  /** What is in the field, which isn't one of them yet. */
  readonly text: string;
  /** The complaint about the people or the text; empty when there is none. */
  readonly complaint: string;
}

/** The questions who may use a link. */
export type PeopleQuestion = "whoOpens" | "whoHandsIn";

/** A draft that the person changes. */
export interface ChangingPeople extends PeopleDraft {
  readonly question: PeopleQuestion;
  /** True when the team asks for people. */
  readonly isRequired: boolean;
  /** The domains that the team allows; null for all. */
  readonly domains: readonly string[] | null;
  readonly change: Dispatch<StateUpdater<PeopleDraft>>;
}
