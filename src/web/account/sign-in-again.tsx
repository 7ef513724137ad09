import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { topUrl } from "../browser/places.ts";
import { announceSession } from "../browser/session-news.ts";
import { Screen } from "../frame/screens.tsx";
import { AccountCard } from "../parts/person-card.tsx";
import type { Person } from "../service/clients.ts";
import { AGAIN } from "../service/fresh-sign-ins.ts";
import type { FreshPurpose } from "../service/fresh-sign-ins.ts";
import { ACCOUNT } from "../texts/account.ts";

const { again: words } = ACCOUNT;

/** The ways to sign in. They belong to the start page, and what isn't shown there at once is loaded. */
export interface SignInParts {
  readonly PasskeySignIn: ComponentType<Pick<Person, "ways"> & { readonly onSignedIn: () => void }>;
  loadProvider(): Promise<{ readonly ReturningSignIn: ComponentType<{ readonly returning: Returning }> }>;
  loadMail(): Promise<{
    readonly SignIn: ComponentType<{ readonly address: string; readonly onSignedIn: () => void }>;
  }>;
}

/** Paths: where a person goes on after signing in at the provider, and after the provider says that they didn't. */
interface Returning {
  readonly done: string;
  readonly canceled: string;
}

/** True when the address of the account asks to sign in again. */
export function isToSignInAgain(): boolean {
  return location.hash.startsWith(AGAIN);
}

/** A person signs in again, in any way that the server has, and goes back to what they wanted to do. */
export function SignInAgainScreen({ person, parts }: { readonly person: Person; readonly parts: SignInParts }) {
  const [purpose] = useState(findPurpose);
  const back = `${topUrl()}/${purpose === "terminal" ? "login" : "account"}`;
  const { ways, credential } = person;
  const provider = useLoaded(ways.includes("oidc"), parts.loadProvider);
  const mail = useLoaded(ways.includes("mail"), parts.loadMail);
  const onSignedIn = () => {
    announceSession("signed-in");
    location.assign(back);
  };
  const returning = { done: new URL(back).pathname, canceled: location.pathname + location.hash };
  return (
    <Screen title={words.titles[purpose]} lede={words.text} icon="lock" width="narrow">
      <AccountCard person={person} />
      {provider && <provider.ReturningSignIn returning={returning} />}
      <parts.PasskeySignIn ways={ways} onSignedIn={onSignedIn} />
      {mail && <mail.SignIn address={credential.identity?.name ?? ""} onSignedIn={onSignedIn} />}
      <p class="hint">{words.otherwise}</p>
      <div class="buttons">
        <a class="button" href={back}>
          {words.back}
        </a>
      </div>
    </Screen>
  );
}

function findPurpose(): FreshPurpose {
  const purpose = location.hash.slice(AGAIN.length);
  return purpose === "remove" || purpose === "terminal" ? purpose : "add";
}

/** Loads a way to sign in, where there is that way. The others work without it. */
function useLoaded<Part>(isThere: boolean, load: () => Promise<Part>): Part | undefined {
  const [part, setPart] = useState<Part | undefined>(undefined);
  useEffect(() => {
    if (isThere) load().then(setPart, () => undefined);
  }, []);
  return part;
}
