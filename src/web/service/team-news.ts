import { followEvents } from "../../client/events.ts";
import { createSessionClient } from "./clients.ts";

/** Somebody who listens to what happens in the team. */
interface Listener {
  /** Told that something has happened, or may have. */
  readonly onNews: () => void;
  /** Told that the connection was lost, which is tried again, and why. */
  readonly onLost: (error: unknown) => void;
  /** Told once that nothing more is heard, and why. */
  readonly onEnd: (error: unknown) => void;
}

const listeners = new Set<Listener>();
let following: AbortController | undefined;
let hasBegun = false;

/**
 * Has `listener` told of what happens in the team of who is signed in, from now on: first as soon as nothing can be missed any
 * more, and again whenever the connection was lost. However many listen in this tab, they have one stream together: a browser has
 * few connections to a server. Returns what ends it.
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
    // Whoever has begun since then has a stream of their own.
    if (signal.aborted) return;
    stop();
    const told = [...listeners];
    listeners.clear();
    for (const { onEnd } of told) onEnd(error);
  }
}
