import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Interruption, LoadingScreen } from "../frame/screens.tsx";
import { IdEnd, idEndOf } from "../parts/id-end.tsx";
import { STRINGS } from "../strings.ts";
import type { Live } from "./live.ts";

const { list } = STRINGS;

export interface LiveRow {
  /** The id of a secret or request; its end tells it from the others, and is in its link. */
  readonly id: string;
  readonly state: string;
  readonly facts: string;
  /** Empty where there is none. */
  readonly note?: string;
  readonly action?: ComponentChildren;
}

/** The list of what somebody sent or asked for, and of what became of it; changes are read out, and nothing else. */
export function LiveList(props: {
  readonly title: string;
  readonly none: string;
  readonly live: Pick<Live<unknown>, "problem" | "restart">;
  /** The rows; undefined before they are known. */
  readonly rows: readonly LiveRow[] | undefined;
  /** Shows more rows; undefined when there are no more. */
  readonly onMore: (() => void) | undefined;
}) {
  const { title, none, live, rows, onMore } = props;
  const news = useNews(rows);
  const heading = useRef<HTMLHeadingElement>(null);
  const showMore = () => {
    // The button may be gone, and the keyboard would be nowhere.
    heading.current?.focus();
    onMore?.();
  };
  return (
    <section class="card stack-m">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {live.problem && <Interruption text={live.problem} onRetry={live.restart} />}
      {!rows && !live.problem && <LoadingScreen />}
      {rows?.length === 0 && !live.problem && <p class="quiet">{none}</p>}
      <p role="status" class="unseen">
        {news}
      </p>
      <ul class="files">
        {rows?.map(({ id, state, facts, note, action }) => (
          <li key={id} tabIndex={-1}>
            <span>
              <strong>{state}</strong>
              {note && (
                <bdi class="note" title={note}>
                  {note}
                </bdi>
              )}
              <small>
                <IdEnd id={id} /> · {facts}
              </small>
            </span>
            <span class="action">{action}</span>
          </li>
        ))}
      </ul>
      {onMore && (
        <p>
          <button type="button" class="plain" onClick={showMore}>
            {list.more}
          </button>
        </p>
      )}
    </section>
  );
}

/** The changes of rows that were there before, as a text to be read out; empty when there are none. */
function useNews(rows: readonly LiveRow[] | undefined): string {
  const former = useRef(new Map<string, string>());
  const [news, setNews] = useState("");
  useEffect(() => {
    const changed = rows?.filter(({ id, state }) => (former.current.get(id) ?? state) !== state) ?? [];
    former.current = new Map(rows?.map(({ id, state }) => [id, state]));
    if (changed.length > 0) setNews(changed.map(({ id, state }) => `${idEndOf(id)}: ${state}`).join(", "));
  }, [rows]);
  return news;
}
