import { ClientError } from "../client/errors.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { getCredential } from "../client/secrets.ts";
import type { Credential } from "../contract/credentials.ts";
import { describeFailure, type Notice } from "./failures.ts";
import { LandingPage } from "./landing-page.tsx";
import { useLoading } from "./loading.ts";
import { topUrl } from "./places.ts";
import { Loading, NoticeScreen } from "./screens.tsx";
import { SendForm } from "./send-form.tsx";
import { SentList } from "./sent-list.tsx";
import { STRINGS } from "./strings.ts";

const { home } = STRINGS;

type State =
  | { readonly kind: "notice"; readonly notice: Notice }
  | { readonly kind: "stranger" }
  | { readonly kind: "person"; readonly client: HttpClient; readonly credential: Credential };

/** `/`: a person sends and sees what became of it; somebody who is not signed in is told what this is. */
export function HomePage() {
  const fail = (error: unknown): State => ({ kind: "notice", notice: describeFailure(error) });
  const { state, reload } = useLoading<State>("home", begin, fail);
  switch (state?.kind) {
    case undefined:
      return <Loading />;
    case "notice":
      return <NoticeScreen notice={state.notice} onRetry={reload} />;
    case "stranger":
      return <LandingPage />;
    case "person": {
      const { client, credential } = state;
      return (
        <>
          <p class="signed-in">
            {home.signedIn(credential.identity?.name ?? "", credential.team?.name ?? "")}
            <button type="button" class="plain" onClick={() => void signOut()}>
              {home.signOut}
            </button>
          </p>
          <SendForm client={client} limits={credential.limits} />
          <SentList client={client} />
        </>
      );
    }
  }
}

async function begin(): Promise<State> {
  const client = createHttpClient({ baseUrl: topUrl(), prefix: "/app", credential: undefined });
  try {
    return { kind: "person", client, credential: await getCredential(client) };
  } catch (error) {
    if (error instanceof ClientError && error.kind === "credential") return { kind: "stranger" };
    throw error;
  }
}

async function signOut(): Promise<void> {
  await fetch(`${topUrl()}/app/session`, { method: "DELETE" });
  location.reload();
}
