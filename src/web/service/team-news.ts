import { followEvents } from "../../client/events.ts";
import { createSessionClient } from "./clients.ts";

/** A listener for events of the team. */
interface Listener {
  /** Called when something has happened, or may have. */
  readonly onNews: () => void;
  /** Called with the error of a lost connection, which is retried. */
  readonly onLost: (error: unknown) => void;
  /** Called once with the error when the stream has ended for good. */
  readonly onEnd: (error: unknown) => void;
}

const listeners = new Set<Listener>();
let following: AbortController | undefined;
let hasBegun = false;

/**
 * Calls `listener` for events of the signed-in person's team, from now on. The first call comes once no event can be
 * missed, and another one after each lost connection. All listeners of a tab share one stream, because a browser allows
 * few connections to a server. Returns a function that stops it.
 */
export function listenToTeam(listener: Listener): () => void {
  listeners.add(listener);
  if (!following) void follow((following = new AbortController()));
  else if (hasBegun) listener.onNews();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function stop(): void {
  following?.abort();
  following = undefined;
  hasBegun = false;
}

async function follow(own: AbortController): Promise<void> {
  const { signal } = own;
  const tell = () => {
    if (signal.aborted) return;
    hasBegun = true;
    for (const { onNews } of listeners) onNews();
  };
  try {
    const client = createSessionClient({ signal });
    const onLost = (error: unknown) => {
      for (const listener of listeners) listener.onLost(error);
    };
    for await (const _ of followEvents(client, { after: "now", signal, onBegin: tell, onLost })) tell();
  } catch (error) {
    // A listener added since then has a stream of its own.
    if (signal.aborted) return;
    stop();
    const told = [...listeners];
    listeners.clear();
    for (const { onEnd } of told) onEnd(error);
  }
}
