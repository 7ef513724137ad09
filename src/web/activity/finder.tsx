import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Drawing, Icon } from "../frame/icon.tsx";
import { Menu } from "../frame/menu.tsx";
import { formatNumber } from "../parts/formats.ts";
import { SearchField } from "../parts/search-field.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import { addressOf, DAYS, KINDS } from "./filters.ts";
import type { Filter } from "./filters.ts";
import { STANDINGS, ticketOf } from "./items.ts";
import type { ActivityItem, Standing } from "./items.ts";

const FILTER = "M4.5 7h15M7.5 12h9M10.5 17h3";
const TICKET =
  "M4.5 5.5v6.25a1.5 1.5 0 0 0 .45 1.05l6.75 6.75a1.5 1.5 0 0 0 2.1 0l5.75-5.75a1.5 1.5 0 0 0 0-2.1L12.8 4.95a1.5 1.5 0 0 0-1.05-.45H5.5a1 1 0 0 0-1 1zM7.5 8.5a1 1 0 1 0 2 0 1 1 0 1 0-2 0z";
const CALENDAR =
  "M6 5.5h12a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7.5a2 2 0 0 1 2-2zM4 10h16M8.5 3.5v4M15.5 3.5v4";

const { activity: words } = ACTIVITY;
/** More tickets than this are found by typing. */
const MAX_TICKETS = 12;

/** The search, the states with their counts, and what else can be picked. */
export function Finder(props: {
  readonly items: readonly ActivityItem[];
  readonly filter: Filter;
  readonly counts: ReadonlyMap<Standing, number>;
  readonly onSearch: (text: string) => void;
}) {
  const { items, filter, counts, onSearch } = props;
  const [isShown, setShown] = useState(false);
  return (
    <div class="stack-s">
      <div class="finder">
        <SearchField text={words.search} value={filter.search} onInput={onSearch} />
        <button
          type="button"
          class="button only-icon find-more"
          aria-label={words.filters}
          title={words.filters}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Drawing shape={FILTER} />
        </button>
        <Standings filter={filter} counts={counts} />
      </div>
      <div class={isShown ? "picks is-shown" : "picks"}>
        <Pick
          icon={<Icon name="form" />}
          name={words.picks.kind}
          chosen={filter.kind && words.picks.kinds[filter.kind]}
          without={{ ...filter, kind: undefined }}
          choices={KINDS.map((kind) => [words.picks.kinds[kind], { ...filter, kind }])}
        />
        <Pick
          icon={<Drawing shape={TICKET} />}
          name={words.picks.ticket}
          chosen={filter.ticket}
          without={{ ...filter, ticket: undefined }}
          choices={ticketsOf(items).map((ticket) => [ticket, { ...filter, ticket }])}
        />
        <Pick
          icon={<Drawing shape={CALENDAR} />}
          name={words.picks.days}
          chosen={filter.days && words.picks.lastDays(filter.days)}
          without={{ ...filter, days: undefined }}
          choices={DAYS.map((days) => [words.picks.lastDays(days), { ...filter, days }])}
        />
      </div>
    </div>
  );
}

function Standings({ filter, counts }: { readonly filter: Filter; readonly counts: ReadonlyMap<Standing, number> }) {
  const link = (standing: Standing | undefined, content: ComponentChildren) => (
    <a
      key={standing}
      href={addressOf({ filter: { ...filter, standing }, id: undefined })}
      aria-current={standing === filter.standing ? "true" : undefined}
    >
      {content}
    </a>
  );
  return (
    <nav class="filter" aria-label={words.standing}>
      {link(undefined, words.standings.all)}
      {STANDINGS.map((standing) => {
        const count = counts.get(standing) ?? 0;
        return link(
          standing,
          <>
            {words.standings[standing]} {count > 0 && <span class="number">{formatNumber(count)}</span>}
          </>,
        );
      })}
    </nav>
  );
}

/** A menu of choices, or the choice that was made, which a press removes. Nothing when there is nothing to choose. */
function Pick(props: {
  readonly icon: ComponentChildren;
  readonly name: string;
  readonly chosen: string | undefined;
  readonly without: Filter;
  readonly choices: readonly (readonly [name: string, filter: Filter])[];
}) {
  const { icon, name, chosen, without, choices } = props;
  if (chosen !== undefined) {
    return (
      <a
        class="pick is-on"
        href={addressOf({ filter: without, id: undefined })}
        aria-label={words.picks.remove(chosen)}
      >
        {icon}
        <bdi>{chosen}</bdi>
        <Icon name="close" />
      </a>
    );
  }
  if (choices.length === 0) return null;
  return (
    <Menu
      class="pick-menu"
      buttonClass="pick"
      button={
        <>
          {icon}
          {name}
          <Icon name="chevron" />
        </>
      }
    >
      {choices.map(([choice, filter]) => (
        <a key={choice} class="button" href={addressOf({ filter, id: undefined })}>
          <bdi>{choice}</bdi>
        </a>
      ))}
    </Menu>
  );
}

/** The tickets of what changed last, each once. */
function ticketsOf(items: readonly ActivityItem[]): readonly string[] {
  return [...new Set(items.flatMap((item) => ticketOf(item) ?? []))].slice(0, MAX_TICKETS);
}
