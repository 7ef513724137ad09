import { useEffect, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { listSecrets, revokeSecret } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { formatSize, formatTime } from "../parts/formats.ts";
import { idEndOf } from "../parts/id-end.tsx";
import { RevokeButton } from "../parts/revoke-button.tsx";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LiveList } from "../service/live-list.tsx";
import { useLive } from "../service/live.ts";
import { STRINGS } from "../strings.ts";

const { list } = STRINGS;
const PAGE_SIZE = 20;

/** The list of what somebody sent, and of what became of it, as it happens. */
export function SentList(props: { readonly person: Person; readonly onRead: (secrets: readonly Secret[]) => void }) {
  const { person, onRead } = props;
  const { client, id: createdBy } = person;
  const [count, setCount] = useState(PAGE_SIZE);
  const live = useLive(person, () => listSecrets(client, { limit: count, createdBy }), count);
  useEffect(() => onRead(live.value ?? []), [live.value]);
  const revoke = async (id: string) => {
    await requirePerson(person);
    try {
      await revokeSecret(client, id);
    } catch (error) {
      // Too late: the row says then what became of it.
      if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
    }
    await live.refresh();
  };
  return (
    <LiveList
      title={list.title}
      none={list.noneSent}
      live={live}
      onMore={live.value?.length === count ? () => setCount(count + PAGE_SIZE) : undefined}
      rows={live.value?.map((secret) => ({
        id: secret.id,
        state: list.states[secret.state],
        facts: describe(secret),
        action: secret.state === "available" && (
          <RevokeButton
            label={list.revokeThis(idEndOf(secret.id))}
            question={list.sureSent}
            onRevoke={() => revoke(secret.id)}
          />
        ),
      }))}
    />
  );
}

function describe(secret: Secret): string {
  const { created_at: created, ended_at: ended, ciphertext_bytes: bytes, claims, max_claims: most } = secret;
  const end = ended === null ? "" : list.ended(formatTime(ended));
  return [list.sent(formatTime(created)), end, formatSize(bytes), most > 1 ? list.claims(claims, most) : ""]
    .filter(Boolean)
    .join(" · ");
}
