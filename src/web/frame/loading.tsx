import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Notice } from "./notices.ts";
import { LoadingScreen, NoticeScreen } from "./screens.tsx";

/** The state of a page: loading, loaded, or a notice. */
export interface Loading<State> {
  /** The state; undefined while loading, or when there is only a notice. */
  readonly state: State | undefined;
  /** The screen to show when there is no state. */
  readonly screen: JSX.Element;
  readonly setState: (state: State | Notice) => void;
  /** Loads again. */
  readonly reload: () => void;
}

/** Loads the first state of a page, for each `id` and on `reload`. `describe` puts errors into words. */
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
