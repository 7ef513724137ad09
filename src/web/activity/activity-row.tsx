import { linkPath } from "../../contract/links.ts";
import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import { factsOf, iconOf, stateOf, timeOf, titleOf } from "./descriptions.ts";
import { groupOf, idOf, isReady } from "./items.ts";
import type { ActivityItem } from "./items.ts";
import { markWords } from "./search.ts";

const { activity: words } = ACTIVITY;

/** A row of the list: a link to the details, and another to collect what was handed in. */
export function ActivityRow(props: {
  readonly item: ActivityItem;
  /** The words to mark in the title. */
  readonly search: string;
  readonly address: string;
  /** True while its details are open. */
  readonly isOpen: boolean;
}) {
  const { item, search, address, isOpen } = props;
  const id = idOf(item);
  const title = titleOf(item);
  const time = timeOf(item);
  const canCollect = isReady(item);
  return (
    <li class={canCollect ? "has-act" : undefined}>
      <a id={id} class={rowClass(item, canCollect)} href={address} aria-current={isOpen ? "true" : undefined}>
        <Icon name={iconOf(item)} />
        <span class="row-what">
          <span class="row-name" title={title}>
            <bdi>
              {search === ""
                ? title
                : markWords(title, search).map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
            </bdi>
          </span>
          <span class="row-meta">
            {factsOf(item).map((fact, index) => (
              <>
                {index > 0 && " · "}
                <bdi key={fact}>{fact}</bdi>
              </>
            ))}
          </span>
        </span>
        <span class="row-state">
          <StateChip state={stateOf(item)} />
        </span>
        {!canCollect && time && (
          <time class="row-when" dateTime={time.at} title={time.full}>
            {time.text}
          </time>
        )}
      </a>
      {canCollect && (
        <a class="act" href={topUrl() + linkPath("backup", id)} aria-label={words.collectThis(title)}>
          {words.collect}
        </a>
      )}
    </li>
  );
}

function rowClass(item: ActivityItem, canCollect: boolean): string {
  return canCollect ? "row is-ready" : groupOf(item) === "earlier" ? "row is-over" : "row";
}
