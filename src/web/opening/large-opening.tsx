import { useEffect, useMemo, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import type { Secret } from "../../contract/secrets.ts";
import { keptKeyOf, prolongReplay, replayEndOf } from "../browser/fragments.ts";
import type { MadeClaim } from "../browser/fragments.ts";
import type { Notice } from "../frame/notices.ts";
import { announceRetry } from "../frame/retries.ts";
import { LoadingScreen } from "../frame/screens.tsx";
import { createLargeOpener } from "../large/large-openings.ts";
import type { LargeOpener } from "../large/large-openings.ts";
import type { Room } from "../large/opened-files.ts";
import { formatSize } from "../parts/formats.ts";
import { formatClock } from "../parts/moments.ts";
import type { LargeClaim } from "../service/large-claims.ts";
import { claimLargeLink } from "../service/large-claims.ts";
import { LARGE_OPENING } from "../texts/large-opening.ts";
import { OPENING } from "../texts/opening.ts";
import { LOCALE } from "../texts/page.ts";
import { createOpeningProgress, LargeProgress } from "../viewing/large-progress.tsx";
import { LargeScreen } from "../viewing/large-screen.tsx";
import type { LargeSecret } from "../viewing/large-screen.tsx";
import { describeOpened } from "./links.ts";
import type { OpeningWay, OpenLink } from "./links.ts";
import { ReadyScreen } from "./ready-screen.tsx";

const { largeOpening: words } = LARGE_OPENING;

/** The screens of a secret that may not fit into memory: it is decrypted into the browser's private file system. */
export function LargeOpening(props: {
  readonly start: {
    readonly link: OpenLink;
    readonly secret: Secret;
    /** True when this tab has claimed it. It is opened at once then, if it needs no passphrase. */
    readonly isBegun: boolean;
  };
  readonly onElsewhere: (claim: MadeClaim) => void;
  readonly onEnded: (end: Notice) => void;
  readonly onErased: (left: number | null) => void;
}) {
  const { start, onElsewhere, onEnded, onErased } = props;
  const { secret, isBegun } = start;
  const opener = useMemo(createLargeOpener, []);
  // Before the claim, so that nothing is used up where it can't be stored.
  const [room, setRoom] = useState<Room | undefined>(isBegun ? "enough" : undefined);
  const [opened, setOpened] = useState<LargeSecret | undefined>(undefined);
  const way = useMemo(() => createWay(opener, start), []);
  useEffect(() => {
    if (!isBegun) void opener.check(secret.ciphertext_bytes).then(setRoom, () => setRoom("enough"));
  }, []);
  if (opened) return <LargeScreen secret={opened} onErased={() => onErased(opened.left)} />;
  if (room === undefined) return <LoadingScreen />;
  return (
    <ReadyScreen
      start={start}
      way={{ ...way, obstacle: describeRoom(room, secret) }}
      onElsewhere={onElsewhere}
      onEnded={onEnded}
      onOpened={setOpened}
    />
  );
}

function describeRoom(room: Room, secret: Secret): string | undefined {
  if (room === "enough") return undefined;
  return room === "full" ? words.noRoom(formatSize(secret.ciphertext_bytes)) : words.unable;
}

/** Why a secret can't be stored, before it was claimed. */
class NoRoomError extends Error {
  readonly room: Room;

  constructor(room: Room) {
    super();
    this.room = room;
  }
}

function createWay(
  opener: LargeOpener,
  { secret, isBegun }: { readonly secret: Secret; readonly isBegun: boolean },
): OpeningWay<LargeClaim, LargeSecret> {
  const { id, ciphertext_bytes: bytes } = secret;
  const progress = createOpeningProgress();
  let isClaimed = isBegun;
  let isStopped = false;
  const onStop = () => {
    isStopped = true;
    opener.stop();
  };
  return {
    isBegun,
    async prepare() {
      progress.report(0);
      isStopped = false;
      if (isClaimed) return;
      const room = await opener.check(bytes);
      if (room !== "enough") throw new NoRoomError(room);
    },
    claimLink: async (...args) => {
      const fresh = await claimLargeLink(...args);
      isClaimed = true;
      return fresh;
    },
    // A reload repeats the claim, and starts over.
    hold: async () => true,
    async open(link, { envelope, left }, { passphrase, secret: known, onPercent }) {
      // While it was claimed, there was nothing to stop.
      if (isStopped) throw new ClientError("interrupted", "interrupted", words.stopped);
      const { client, agePassphrase } = link;
      const source = {
        baseUrl: client.baseUrl,
        claimToken: client.options.credential ?? "",
        id,
        idempotencyKey: keptKeyOf(id) ?? link.idempotencyKey,
        bytes: envelope.bytes,
      };
      const passphrases = passphrase === undefined ? [] : [passphrase];
      const trimmed = passphrase?.trim() ?? "";
      if (trimmed !== "" && trimmed !== passphrase) passphrases.push(trimmed);
      const content = await opener.open(
        source,
        { agePassphrase, passphrases },
        {
          onReceived(arrived) {
            progress.report(arrived);
            onPercent(Math.floor((100 * arrived) / envelope.bytes));
          },
          onRenewed: (askedAt) => prolongReplay(id, askedAt + envelope.windowMs),
          onRetry: announceRetry,
        },
      );
      const opened = describeOpened(link, { content, secret: known, left });
      return {
        ...opened,
        async erase() {
          await opened.erase();
          await content.drop();
        },
      };
    },
    describe: (error) => describeLarge(error, secret),
    lockedWords: words.locked,
    Progress: () => <LargeProgress progress={progress} total={bytes} onStop={onStop} />,
  };
}

/** What is said of an error that only large secrets have; undefined for any other. */
function describeLarge(error: unknown, secret: Secret): Notice | undefined {
  const { cannotOpen: title } = OPENING.opened;
  if (error instanceof NoRoomError) return { title, text: describeRoom(error.room, secret) ?? "" };
  switch (error instanceof ClientError ? error.code : "") {
    case "damaged_archive":
      return { title, text: words.damaged };
    case "file_unwritable":
      return { title, text: `${words.unwritable} ${describeAgain(secret.id)}`.trim() };
    case "interrupted":
      return { title, text: `${words.stopped} ${describeAgain(secret.id)}`.trim() };
    default:
      return undefined;
  }
}

/** Until when this tab can start over; empty when it can't be said. */
function describeAgain(id: string): string {
  const until = replayEndOf(id);
  return until === null ? "" : words.again(formatClock(new Date(until).toISOString(), LOCALE));
}
