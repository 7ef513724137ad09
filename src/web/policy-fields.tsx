import type { CredentialLimits } from "../contract/credentials.ts";
import { formatDuration } from "./formats.ts";

const DAY = 86_400;
const LIFETIMES = [3600, DAY, 7 * DAY, 30 * DAY];

/** The lifetimes to choose from, in seconds, and the one that is chosen at first: a day, or less where the server takes less. */
export function lifetimesWithin(limits: CredentialLimits): { readonly all: readonly number[]; readonly first: number } {
  const within = LIFETIMES.filter((seconds) => seconds <= limits.max_expires_in);
  const all = within.length > 0 ? within : [limits.max_expires_in];
  return { all, first: all.findLast((seconds) => seconds <= DAY) ?? limits.max_expires_in };
}

/** How long, and how often. */
export function PolicyFields(props: {
  readonly limits: CredentialLimits;
  readonly lifetimeLabel: string;
  readonly expiresIn: number;
  readonly onExpiresIn: (seconds: number) => void;
  readonly countLabel: string;
  readonly count: number;
  readonly onCount: (count: number) => void;
}) {
  const { limits } = props;
  return (
    <div class="row">
      <label>
        {props.lifetimeLabel}
        <select value={props.expiresIn} onChange={(event) => props.onExpiresIn(Number(event.currentTarget.value))}>
          {lifetimesWithin(limits).all.map((seconds) => (
            <option key={seconds} value={seconds}>
              {formatDuration(seconds)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {props.countLabel}
        <input
          type="number"
          min={1}
          max={limits.max_claims}
          required
          value={props.count}
          onInput={(event) => props.onCount(event.currentTarget.valueAsNumber)}
        />
      </label>
    </div>
  );
}
