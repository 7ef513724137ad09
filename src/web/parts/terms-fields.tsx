import type { CredentialLimits } from "../../contract/credentials.ts";
import type { CountDraft } from "./counts.ts";
import { formatDuration } from "./formats.ts";

const DAY = 86_400;
const LIFETIMES = [3600, DAY, 7 * DAY, 30 * DAY];

/** The lifetimes to choose from, in seconds: usual ones, and the default and the maximum of this server. */
function lifetimesWithin({ default_expires_in: usual, max_expires_in: most }: CredentialLimits): number[] {
  const all = new Set([...LIFETIMES.filter((seconds) => seconds <= most), usual, most]);
  return [...all].toSorted((one, other) => one - other);
}

/** The fields for how long, and how often. */
export function TermsFields(props: {
  readonly limits: CredentialLimits;
  readonly lifetimeLabel: string;
  readonly expiresIn: number;
  readonly onExpiresIn: (seconds: number) => void;
  readonly countLabel: string;
  readonly count: CountDraft;
}) {
  const { limits, count } = props;
  return (
    <div class="row">
      <label>
        {props.lifetimeLabel}
        <select value={props.expiresIn} onChange={(event) => props.onExpiresIn(Number(event.currentTarget.value))}>
          {lifetimesWithin(limits).map((seconds) => (
            <option key={seconds} value={seconds}>
              {formatDuration(seconds)}
            </option>
          ))}
        </select>
      </label>
      <div>
        <label>
          {props.countLabel}
          <input
            ref={count.field}
            type="number"
            min={1}
            max={count.max}
            value={count.text}
            aria-invalid={count.complaint !== ""}
            aria-describedby="count-complaint"
            onInput={(event) => count.change(event.currentTarget.value)}
          />
        </label>
        <p role="alert" id="count-complaint" class="complaint">
          {count.complaint}
        </p>
      </div>
    </div>
  );
}
