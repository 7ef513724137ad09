import type { ComponentChildren } from "preact";
import type { Credential } from "../../contract/credentials.ts";
import type { Person } from "../../contract/persons.ts";
import { initialsOf } from "../frame/account.ts";
import { PAGE } from "../texts/page.ts";

/** The parts of a signed-in person that are shown. */
interface Known {
  readonly credential: Pick<Credential, "person" | "identity" | "team">;
}

/** Returns the name of a person, or their address when the server knows no name. */
export function nameOf({ credential: { person, identity } }: Known): string {
  return person?.name ?? identity?.name ?? "";
}

/** The person who is signed in in this browser, with their team. */
export function AccountCard({ person }: { readonly person: Known }) {
  const { identity, team } = person.credential;
  const name = nameOf(person);
  const address = identity?.name ?? "";
  return (
    <Card name={name}>
      {name !== address && <bdi>{address}</bdi>}
      {name !== address && " · "}
      <bdi>{team?.name}</bdi>
    </Card>
  );
}

/** A sender or person who asks, as named by the server. */
export function PersonCard({ person: { name, address, team } }: { readonly person: Person }) {
  const { known, knownAs } = PAGE.person;
  return <Card name={name ?? address}>{name === null ? known(team) : knownAs(address, team)}</Card>;
}

function Card({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="person">
      <span class="face" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span>{children}</span>
      </div>
    </div>
  );
}
