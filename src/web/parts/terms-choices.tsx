import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { LOCALE, STRINGS } from "../strings.ts";
import { Complaint } from "./complaint.tsx";
import type { CountDraft } from "./counts.ts";
import { formatDuration } from "./formats.ts";
import { LIFETIME_UNITS } from "./lifetimes.ts";
import type { LifetimeDraft, LifetimeUnit } from "./lifetimes.ts";

const { terms } = STRINGS;
/** The value of the chip that opens a field for other values. */
const OTHER = 0;

/** Chips for a lifetime, and a field for other lifetimes. */
export function LifetimeChoices({ legend, lifetime }: { readonly legend: string; readonly lifetime: LifetimeDraft }) {
  const { choices, chosen, choose, field } = lifetime;
  const select = useSelecting(field);
  const all = choices.map((value) => ({ value, label: formatDuration(value) }));
  return (
    <Choices
      legend={legend}
      choices={[...all, { value: OTHER, label: terms.other }]}
      value={chosen ?? OTHER}
      onChange={(value) => {
        choose(value === OTHER ? undefined : value);
        if (value === OTHER) select();
      }}
    >
      {chosen === undefined && <LifetimeField legend={legend} lifetime={lifetime} />}
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
  const { choices, isTyped, text, max, field } = count;
  const select = useSelecting(field);
  const all = choices.map((value) => ({ value, label: describe(value) }));
  const isOnly = choices.length === max;
  return (
    <Choices
      legend={legend}
      choices={isOnly ? all : [...all, { value: OTHER, label: terms.other }]}
      value={isTyped ? OTHER : Number(text)}
      onChange={(value) => {
        count.choose(value === OTHER ? undefined : value);
        if (value === OTHER) select();
      }}
    >
      {isTyped && <CountField legend={legend} count={count} />}
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

/** An option of a choice. */
interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
}

/** Chips of which one is chosen, and the content of the chosen one below them. */
function Choices<Value extends string | number>(props: {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly children?: ComponentChildren;
}) {
  const { legend, choices, value, onChange, children } = props;
  const name = useId();
  return (
    <fieldset class="choices">
      <legend class="label choices-title">{legend}</legend>
      {choices.map((each) => (
        <label key={each.value} class="choice">
          <input type="radio" name={name} checked={each.value === value} onChange={() => onChange(each.value)} />
          <span>{each.label}</span>
        </label>
      ))}
      {children}
    </fieldset>
  );
}
