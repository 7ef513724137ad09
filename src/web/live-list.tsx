import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { STRINGS } from "./strings.ts";

const { list } = STRINGS;

export interface LiveRow {
  /** Of a secret or request; its end tells it from the others, and is in its link. */
  readonly id: string;
  readonly state: string;
  readonly facts: string;
  readonly note?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** What became of what somebody sent or asked for; what changes is read out, and nothing else. */
export function LiveList(props: {
  readonly title: string;
  readonly none: string;
  readonly isSignedOut: boolean;
  /** Undefined before it is known. */
  readonly rows: readonly LiveRow[] | undefined;
  /** Undefined when there is no more. */
  readonly onMore: (() => void) | undefined;
}) {
  const { title, none, isSignedOut, rows, onMore } = props;
  const news = useNews(rows);
  return (
    <section>
      <h2>{title}</h2>
      {isSignedOut && <p>{STRINGS.signedOut.text}</p>}
      {rows?.length === 0 && <p class="quiet">{none}</p>}
      <p role="status" class="unseen">
        {news}
      </p>
      <ul class="files">
        {rows?.map(({ id, state, facts, note, action }) => (
          <li key={id} tabIndex={-1}>
            <span>
              <strong>{state}</strong> {note}
              <small>
                <code>{list.idEnd(id.slice(-6))}</code> · {facts}
              </small>
            </span>
            {action}
          </li>
        ))}
      </ul>
      {onMore && (
        <p>
          <button type="button" class="plain" onClick={onMore}>
            {list.more}
          </button>
        </p>
      )}
    </section>
  );
}

/** What has become of rows that were there before. */
function useNews(rows: readonly LiveRow[] | undefined): string {
  const former = useRef(new Map<string, string>());
  const [news, setNews] = useState("");
  useEffect(() => {
    const changed = rows?.filter(({ id, state }) => (former.current.get(id) ?? state) !== state) ?? [];
    former.current = new Map(rows?.map(({ id, state }) => [id, state]));
    if (changed.length > 0) setNews(changed.map(({ id, state }) => `${list.idEnd(id.slice(-6))}: ${state}`).join(", "));
  }, [rows]);
  return news;
}
