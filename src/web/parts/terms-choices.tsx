import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { LOCALE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";
import { Complaint } from "./complaint.tsx";
import type { CountDraft } from "./counts.ts";
import { formatDuration } from "./formats.ts";
import { LIFETIME_UNITS } from "./lifetimes.ts";
import type { LifetimeDraft, LifetimeUnit } from "./lifetimes.ts";

const { terms } = SENDING;

/** Chips for a lifetime, and a field for other lifetimes. */
export function LifetimeChoices({ legend, lifetime }: { readonly legend: string; readonly lifetime: LifetimeDraft }) {
  return (
    <Choices legend={legend} draft={lifetime} chosen={lifetime.chosen} hasOther describe={formatDuration}>
      <LifetimeField legend={legend} lifetime={lifetime} />
    </Choices>
  );
}

function LifetimeField({ legend, lifetime }: { readonly legend: string; readonly lifetime: LifetimeDraft }) {
  const { text, unit, complaint, field, change } = lifetime;
  const id = useId();
  return (
    <div class="choice-field">
      <div class="with-button">
        <input
          ref={field}
          class="input"
          type="number"
          min={1}
          aria-label={legend}
          value={text}
          aria-invalid={complaint !== ""}
          aria-describedby={id}
          onInput={(event) => change(event.currentTarget.value, unit)}
        />
        <select
          class="input"
          aria-label={terms.unit}
          value={unit}
          onChange={(event) => {
            const next = Object.keys(LIFETIME_UNITS).find(
              (each): each is LifetimeUnit => each === event.currentTarget.value,
            );
            if (next) change(text, next);
          }}
        >
          {Object.keys(LIFETIME_UNITS).map((each) => (
            <option key={each} value={each}>
              {nameOf(each)}
            </option>
          ))}
        </select>
      </div>
      <Complaint id={id} text={complaint} />
    </div>
  );
}

/** The name of a unit, as the language writes it without a number. */
function nameOf(unit: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: "unit", unit: unit.slice(0, -1), unitDisplay: "long" });
  return format.formatToParts(20).find(({ type }) => type === "unit")?.value ?? unit;
}

/** Chips for a count, and a field for other numbers. */
export function CountChoices(props: {
  readonly legend: string;
  readonly count: CountDraft;
  /** Returns the text of a chip. */
  readonly describe: (count: number) => string;
}) {
  const { legend, count, describe } = props;
  const { choices, isTyped, text, max } = count;
  const chosen = isTyped ? undefined : Number(text);
  return (
    <Choices legend={legend} draft={count} chosen={chosen} hasOther={choices.length !== max} describe={describe}>
      <CountField legend={legend} count={count} />
    </Choices>
  );
}

function CountField({ legend, count }: { readonly legend: string; readonly count: CountDraft }) {
  const { text, max, complaint, field, change } = count;
  const id = useId();
  return (
    <div class="choice-field">
      <input
        ref={field}
        class="input"
        type="number"
        min={1}
        max={max}
        aria-label={legend}
        value={text}
        aria-invalid={complaint !== ""}
        aria-describedby={id}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <Complaint id={id} text={complaint} />
    </div>
  );
}

/**
 * Returns a function that focuses a field once it is shown, and selects its text. Moving through the chips by arrow
 * keys keeps the focus on them.
 */
function useSelecting(field: RefObject<HTMLInputElement | null>): () => void {
  const [presses, setPresses] = useState(0);
  useEffect(() => {
    if (presses === 0 || document.activeElement?.matches(":focus-visible")) return;
    field.current?.focus();
    field.current?.select();
  }, [presses]);
  return () => setPresses((count) => count + 1);
}

/** Chips of which one is chosen; undefined stands for the one that opens a field for other values. */
function Choices(props: {
  readonly legend: string;
  readonly draft: Pick<CountDraft, "allowed" | "choices" | "choose" | "field">;
  readonly chosen: number | undefined;
  readonly hasOther: boolean;
  /** Returns the text of a chip. */
  readonly describe: (value: number) => string;
  /** The field with its complaint. */
  readonly children: ComponentChildren;
}) {
  const { legend, draft, chosen, hasOther, describe, children } = props;
  const name = useId();
  const select = useSelecting(draft.field);
  const choose = (value: number | undefined) => {
    draft.choose(value);
    if (value === undefined) select();
  };
  return (
    <fieldset class="choices">
      <legend class="label choices-title">{legend}</legend>
      {[...draft.choices, ...(hasOther ? [undefined] : [])].map((value) => (
        <label key={value} class="choice">
          <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
          <span>{value === undefined ? terms.other : describe(value)}</span>
        </label>
      ))}
      {chosen === undefined && children}
      {draft.allowed && <p class="hint">{draft.allowed}</p>}
    </fieldset>
  );
}
