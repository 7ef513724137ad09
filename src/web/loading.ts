import { useEffect, useState } from "preact/hooks";

/** What a page is about while it has not begun, and what it is in then. */
export interface Loading<State> {
  /** Undefined while it loads. */
  readonly state: State | undefined;
  readonly setState: (state: State) => void;
  /** Begins again. */
  readonly reload: () => void;
}

/** Loads what a page begins with, once for each `id` and whenever it is told to; `fail` turns an error into a state. */
export function useLoading<State>(
  id: string,
  begin: (id: string) => Promise<State>,
  fail: (error: unknown) => State,
): Loading<State> {
  const [state, setState] = useState<State | undefined>(undefined);
  const reload = () => {
    setState(undefined);
    void begin(id).then(setState, (error: unknown) => setState(fail(error)));
  };
  useEffect(reload, [id]);
  return { state, setState, reload };
}
