import { Session } from "node:inspector/promises";
import { threadSeconds } from "./processes.ts";

/** A `Profiler.Profile` of the Chrome DevTools Protocol, as far as it is read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** The id of a node for each sample. */
  readonly samples: readonly number[];
}

/** What one thread did while it was profiled. */
export interface ThreadProfile {
  /** The share of a core that it needed. */
  readonly share: number;
  readonly profile: Profile;
}

const NOTHING: Profile = { nodes: [], samples: [] };

/** A profiler of one thread, or of several. Turned off it returns what it has seen since it was turned on. */
interface Profiler<Seen> {
  turn(isOn: boolean): Promise<Seen>;
}

/** Opens the profiler of the thread that calls. */
async function openProfiler(): Promise<Profiler<ThreadProfile>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  let start = { at: 0, computing: 0 };
  return {
    async turn(isOn) {
      const now = { at: performance.now(), computing: threadSeconds().computing };
      const share = (1000 * (now.computing - start.computing)) / (now.at - start.at);
      start = now;
      if (isOn) await session.post("Profiler.start");
      const { nodes, samples = [] } = isOn ? NOTHING : (await session.post("Profiler.stop")).profile;
      return { share, profile: { nodes, samples } };
    },
  };
}

/** The channel on which threads are told to turn their profilers on or off, and answer with what these have seen. */
const CHANNEL = "profiles";

/** Opens the profilers of the thread that calls and of all workers that it starts from now on. */
export async function openProfilers(): Promise<Profiler<ThreadProfile[]>> {
  const own = await openProfiler();
  const channel = new BroadcastChannel(CHANNEL);
  let workers = 0;
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: [new URL("./thread-profiler.ts", import.meta.url).pathname] });
      workers++;
    }
  };
  return {
    async turn(isOn) {
      const seen: ThreadProfile[] = [];
      const all = Promise.withResolvers<void>();
      const note = (event: Event) => {
        if (event instanceof MessageEvent && seen.push(event.data) === workers) all.resolve();
      };
      channel.addEventListener("message", note);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      channel.postMessage(isOn);
      const first = await own.turn(isOn);
      if (workers > 0) await all.promise;
      channel.removeEventListener("message", note);
      return [first, ...seen];
    },
  };
}

/** Lets the thread that started the calling one, a worker, turn a profiler of it on and off. */
export async function answerProfilers(): Promise<void> {
  const own = await openProfiler();
  const channel = new BroadcastChannel(CHANNEL);
  const answer = async (isOn: boolean) => {
    const seen = await own.turn(isOn);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(seen);
  };
  channel.addEventListener("message", ({ data }) => void (typeof data === "boolean" && answer(data)));
}
