import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Notice } from "./notices.ts";
import { LoadingScreen, NoticeScreen } from "./screens.tsx";

/** The state of a page: it loads, and is then in a state of its own, or has nothing but a notice to show. */
export interface Loading<State> {
  /** The state; undefined while it loads, and when there is nothing but a notice. */
  readonly state: State | undefined;
  /** The screen while there is no state. */
  readonly screen: JSX.Element;
  readonly setState: (state: State | Notice) => void;
  /** Begins again. */
  readonly reload: () => void;
}

/** Loads what a page begins with, once for each `id` and whenever it is told to; `describe` puts errors into words. */
export function useLoading<State extends { readonly kind: string }>(
  id: string,
  begin: (id: string) => Promise<State | Notice>,
  describe: (error: unknown) => Notice,
): Loading<State> {
  const [current, setCurrent] = useState<State | Notice | undefined>(undefined);
  const reload = () => {
    setCurrent(undefined);
    void begin(id).then(setCurrent, (error: unknown) => setCurrent(describe(error)));
  };
  useEffect(reload, [id]);
  const result = { setState: setCurrent, reload };
  if (!current) return { ...result, state: undefined, screen: <LoadingScreen /> };
  if (!("kind" in current))
    return { ...result, state: undefined, screen: <NoticeScreen notice={current} onRetry={reload} /> };
  return { ...result, state: current, screen: <LoadingScreen /> };
}
