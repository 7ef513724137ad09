import { useState } from "preact/hooks";
import type { SentSecret } from "../../client/stored-secrets.ts";
import type { Deliverer } from "../composing/deliveries.ts";
import type { ContentDraft } from "../composing/drafts.ts";
import type { LargeJob } from "../composing/large/large-job.ts";
import type { NewSecret } from "../composing/large/messages.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";

/** Loads the part of the page for secrets that are sent in pieces. */
const load = () => import("./large-part.tsx");

/** Sends secrets that are too large for one envelope. */
export interface LargeSends {
  /** What is on its way, and the part of the page that shows it. */
  readonly current: { readonly part: Awaited<ReturnType<typeof load>>; readonly job: LargeJob<SentSecret> } | undefined;
  /**
   * Returns a complaint, as `sendLarge` does. `onJob` is called once it is on its way, with a function that undoes it
   * and returns a sentence about that. Throws ClientError.
   */
  readonly send: (
    content: ContentDraft,
    order: Pick<NewSecret, "passphrase" | "terms">,
    deliverer: Deliverer,
    onJob: (undo: () => Promise<string>) => void,
  ) => Promise<SentSecret | string>;
}

export function useLargeSends(person: Person): LargeSends {
  const [current, setCurrent] = useState<LargeSends["current"]>();
  return {
    current,
    async send(content, order, deliverer, onJob) {
      const part = await loadPart(load);
      await deliverer.waitFor(requirePerson(person));
      deliverer.signal.throwIfAborted();
      try {
        return await part.sendLarge(person, content, order, deliverer, (job) => {
          setCurrent({ part, job });
          onJob(() => part.undoLarge(person, job));
        });
      } finally {
        setCurrent(undefined);
      }
    },
  };
}
