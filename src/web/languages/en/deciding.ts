import type { Grammar } from "../grammar.ts";

/** What is said where the opening of a secret has to be approved, in English. */
export const texts = ({ number }: Grammar) => ({
  deciding: {
    title: "Let them in?",
    showAll: (count: number) => `Show all ${number(count)}`,
    wants: "Someone wants to open this secret.",
    /** The name of a secret that has no other; `idEnd` is such as "…01A9RF". */
    secret: (idEnd: string) => `Secret ${idEnd}`,
    /** The words stand above it. */
    same: "They see the same words. Ask them by phone.",
    who: "Who",
    sender: "Sender",
    /** These three stand within a sentence, or at its beginning. */
    proven: (address: string) => `${address}, address proven`,
    unproven: "someone with the link, no address proven",
    teammate: (idEnd: string) => `a teammate, ID ${idEnd}`,
    /** A time follows, as below. */
    asked: "Asked",
    until: "Waits until",
    letIn: "Let them in",
    refuse: "Refuse",
    /** Of an approval that may not have been used yet. */
    refuseLater: "Refuse after all",
    busy: { approved: "Letting them in…", refused: "Refusing…" },
    outcomes: {
      approved: "You let them in, for one opening within 10 minutes.",
      refused: "You refused. They can ask again.",
      over: "Too late: the time is over, it was opened or revoked, they asked again, or someone else decided.",
      not_approver: "Someone else has to decide this.",
    },
    /** `list` has the three words, as below. */
    news: (name: string, list: string) => `Someone wants to open “${name}”: ${list}.`,
    /** The person of the team who has to approve. */
    approver: { title: "Approval", sender: "By you", team: "By someone else on your team" },
    history: {
      asked: (who: string, list: string) => `Asked to be let in: ${who} (${list})`,
      letIn: {
        you: (list: string) => `You let them in (${list})`,
        other: (list: string) => `A teammate let them in (${list})`,
      },
      refused: {
        you: (list: string) => `You refused (${list})`,
        other: (list: string) => `A teammate refused (${list})`,
      },
    },
  },
});
