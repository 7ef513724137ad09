import type { Credential } from "../../contract/credentials.ts";
import { initialsOf } from "../frame/account.tsx";

/** The part of somebody who is signed in that is shown of them. */
interface Known {
  readonly credential: Pick<Credential, "person" | "identity" | "team">;
}

/** The name of a person, or their address where the server knows none. */
export function nameOf({ credential: { person, identity } }: Known): string {
  return person?.name ?? identity?.name ?? "";
}

/** A person who is signed in, with their team. */
export function PersonCard({ person }: { readonly person: Known }) {
  const { identity, team } = person.credential;
  const name = nameOf(person);
  const address = identity?.name ?? "";
  return (
    <div class="person">
      <span class="face" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span>
          {name !== address && <bdi>{address}</bdi>}
          {name !== address && " · "}
          <bdi>{team?.name}</bdi>
        </span>
      </div>
    </div>
  );
}
