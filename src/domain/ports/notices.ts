import type { NoticeKind } from "../../contract/states.ts";
import type { AskRecord } from "./secrets.ts";

/** Where and how a person reads. */
export interface NoticeReader {
  /** BCP 47; any text, because a browser says it. */
  readonly language: string;
  /** A name of the time zone database, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** Which mails a person wants. */
export type WantedNotices = Readonly<Record<"opened" | "ending" | "handedIn" | "asked", boolean>>;

/** The stored switches of a person. Times are epoch milliseconds. */
export interface NoticeSwitches extends WantedNotices, NoticeReader {
  readonly identityId: string;
  /** What the tokens are derived from that switch such mails off. They open nothing. */
  readonly offSeed: string;
  /** When the last minute with mails began, and their number in it. */
  readonly burstAt: number;
  readonly burstCount: number;
}

/** How far a team's events, and the ends of its secrets, were read. */
export interface NoticePlace {
  readonly teamId: string;
  /** Empty before the first event. */
  readonly lastEventId: string;
  readonly endsUntil: number;
}

/** One thing that a mail says. Times are epoch milliseconds. */
export type Notice = {
  /** The secret, or for `handed_in` the request. */
  readonly id: string;
  /** Its ticket; null for none. */
  readonly reference: string | null;
  /** When it was sent or asked for. */
  readonly createdAt: number;
  /** When it was opened or handed in, or when it, or the time for a decision, will end. */
  readonly at: number;
} & (
  | { readonly kind: Exclude<NoticeKind, "asked"> }
  | { readonly kind: "asked"; readonly ask: Pick<AskRecord, "id" | "words" | "address"> }
);

/** A key whose end is near. */
export interface EndingKey {
  readonly id: string;
  readonly identity: string;
  readonly team: string;
  readonly expiresAt: number;
}

/** Stores which mails people want, and queues them. */
export interface NoticeStore {
  /** The switches of a person who wasn't removed; undefined when they never used one. */
  findNotices(identityId: string): Promise<NoticeSwitches | undefined>;
  /**
   * Sets switches of a person, and where they read. When one is switched on, `offSeed` takes the place of the former
   * one. Things that happened before aren't mailed. Resolves the switches after that; undefined for a person who was
   * removed.
   */
  setNotices(
    identityId: string,
    change: Partial<WantedNotices>,
    reader: NoticeReader,
    offSeed: string,
  ): Promise<NoticeSwitches | undefined>;
  /** Switches mails of these kinds off. Does nothing for a person without switches. */
  switchNoticesOff(identityId: string, kinds: readonly NoticeKind[]): Promise<void>;
  /** The teams with people who want mails, or wanted some until a moment ago. */
  listNoticeTeams(): Promise<string[]>;
  /**
   * Queues the mails about what has happened in a team since the last call, and about its secrets that end within a
   * day. `seed` makes their IDs. Resolves true when there may be more.
   */
  queueNotices(teamId: string, seed: string): Promise<boolean>;
  /** Those of `notices` that still hold for the person: an ask waits, and they may decide it. */
  listCurrentNotices(identityId: string, notices: readonly Notice[]): Promise<Notice[]>;
  /** Queues one mail to `address` about the keys that end within a week, each key once. */
  queueKeyEnds(address: string, id: string): Promise<void>;
}
