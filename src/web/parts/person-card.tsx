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

/** The address and the team of a sender or person who asks, as the server names them. */
export function WhoLine({ person: { name, address, team } }: { readonly person: Person }) {
  return (
    <>
      {name !== null && (
        <>
          <bdi>{address}</bdi> ·{" "}
        </>
      )}
      <bdi>{team}</bdi>
      <small>{PAGE.person.according}</small>
    </>
  );
}

/** The name of a sender or person who asks, or their address when the server knows no name. */
export function nameOfPerson({ name, address }: Pick<Person, "name" | "address">): string {
  return name ?? address;
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
