import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { Closed, Id, LanguageTag, MailAddress, Nullable, OneOf, Timestamp } from "./fields.ts";
import type { HasBody, Success } from "./fields.ts";
import { exampleId } from "./ids.ts";
import type { ACCOUNT_OPERATIONS, LOGIN_OPERATIONS, SESSION_OPERATIONS } from "./operations.ts";
import {
  BegunLogin,
  LoginAnswer,
  LoginBody,
  LoginPoll,
  Notices,
  NoticesBody,
  Passkey,
  PasskeyBody,
  PasskeyList,
  PasskeyOptions,
  PendingLogin,
  PersonAs,
  SessionList,
} from "./persons.ts";
import { SCOPES } from "./scopes.ts";
import { APPROVERS, CREDENTIAL_KINDS, SIGN_IN_WAYS } from "./states.ts";

const Named = (kind: "identity" | "team") =>
  Nullable(Closed({ id: Id(kind, `The id of the ${kind}.`), name: Type.String() }));

const Scope = OneOf(SCOPES, { title: "Scope", description: "What an identity may do inside its team." });

export const CredentialLimits = Closed(
  {
    max_ciphertext_bytes: Type.Integer(),
    max_secret_bytes: Nullable(
      Type.Integer({
        description: "The largest ciphertext that can be uploaded in pieces; null where that isn't possible.",
      }),
    ),
    default_expires_in: Type.Integer({ description: "The default lifetime in seconds." }),
    max_expires_in: Type.Integer({ description: "Seconds." }),
    expires_choices: Nullable(
      Type.Array(Type.Integer(), {
        description: "The lifetimes in seconds to offer to people; null where the server leaves that to clients.",
      }),
    ),
    default_max_claims: Type.Integer({ description: "The default number of claims of a secret." }),
    max_claims: Type.Integer({
      description: "The maximum number of claims of a secret, and of submissions of a request.",
    }),
    calls_per_second: Type.Integer(),
    call_burst: Type.Integer(),
    waiting_calls: Type.Integer({
      description: "The maximum number of waiting calls at the same time, streams included.",
    }),
    team_quota_bytes: Type.Integer({ description: "The storage quota of the team." }),
    require_encrypted: Type.Boolean({
      description: "Whether only ciphertexts in the shape of an age file are accepted.",
    }),
    show_senders: Type.Boolean({
      description: "Whether holders of a link see which person sent the secret, or asks for one.",
    }),
    proves_addresses: Nullable(
      Type.Boolean({
        description: "Whether secrets and requests can be for chosen people (`for`). Null, of an older server, is no.",
      }),
    ),
  },
  { $id: "CredentialLimits", description: "The limits that apply to this credential, by the rules of its team too." },
);
export type CredentialLimits = Static<typeof CredentialLimits>;

/** The rules of a team. What isn't set is null or false. */
export const Rules = Closed(
  {
    max_expires: Nullable(Type.Integer({ description: "The longest lifetime of secrets and requests, in seconds." })),
    max_claims: Nullable(Type.Integer({ description: "The most claims of a secret, and submissions of a request." })),
    max_secret: Nullable(Type.Integer({ description: "The largest ciphertext of a large secret, in bytes." })),
    require_reference: Type.Boolean({ description: "Whether a ticket has to be named (`reference`)." }),
    require_for: Type.Boolean({ description: "Whether people have to be chosen (`for`)." }),
    for_domain: Nullable(
      Type.Array(Type.String(), { description: "The only domains of people who may be chosen; null for any." }),
    ),
    approval: Nullable(
      OneOf(APPROVERS, { description: "Who has to approve claims at least; `sender` allows `team` too." }),
    ),
  },
  { description: "The rules of the team for what its members create; null without any." },
);
export type Rules = Static<typeof Rules>;

/** The answer about the credential of the call. */
export const Credential = Closed(
  {
    kind: OneOf(CREDENTIAL_KINDS, {
      title: "CredentialKind",
      description: "The kind of credential.",
    }),
    key_id: Nullable(Id("key", "The id of the API key.")),
    identity: Named("identity"),
    team: Named("team"),
    person: Nullable(PersonAs("The signed-in person; null unless the credential is a session.")),
    scopes: Type.Array(Scope),
    expires_at: Nullable(Timestamp("When it ends.")),
    team_stored_bytes: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          "The storage that the team uses: ciphertexts and notes as stored, and the records of its secrets, requests and events, ended ones included while they are listed. Null for the token of a link.",
      }),
    ),
    limits: CredentialLimits,
    rules: Nullable(Rules),
  },
  {
    $id: "Credential",
    description: "The credential of this call. Members that do not apply are null.",
    examples: [
      {
        kind: "api_key",
        key_id: exampleId("key"),
        identity: { id: exampleId("identity"), name: "ci" },
        team: { id: exampleId("team"), name: "platform" },
        person: null,
        scopes: ["secrets:create"],
        expires_at: null,
        team_stored_bytes: 52428800,
        limits: {
          max_ciphertext_bytes: 10485760,
          max_secret_bytes: 10737418240,
          default_expires_in: 604800,
          max_expires_in: 7776000,
          expires_choices: null,
          default_max_claims: 1,
          max_claims: 100,
          calls_per_second: 100,
          call_burst: 200,
          waiting_calls: 20,
          team_quota_bytes: 1073741824,
          require_encrypted: false,
          show_senders: true,
          proves_addresses: true,
        },
        rules: null,
      },
    ],
  },
);
export type Credential = Static<typeof Credential>;

/**
 * The body of signing in: the token of a sign-in link, a passkey's answer as WebAuthn writes it in JSON, the query that
 * a provider sent the browser back with, or a code that came by mail.
 */
export const SignInBody = Type.Union([
  Closed({ sign_in_token: Type.String({ minLength: 1, maxLength: 100 }) }),
  Closed({ passkey: Type.Object({}) }),
  Closed({ oidc: Closed({ query: Type.String({ maxLength: 8192 }) }) }),
  Closed({ mail: Closed({ code: Type.String({ pattern: "^[0-9]{8}$" }) }) }),
]);
export type SignInBody = Static<typeof SignInBody>;

/**
 * The body of beginning a sign-in at a provider. A silent one shows nothing to the person. With `other_account`, one
 * that isn't has the person choose an account, also where they are signed in with one.
 */
export const OidcSignInBody = Closed({ silent: Type.Boolean(), other_account: Type.Optional(Type.Boolean()) });
export type OidcSignInBody = Static<typeof OidcSignInBody>;

/** The body of asking for a code by mail. The language is the reader's (BCP 47). */
export const MailBody = Closed({
  address: MailAddress,
  language: LanguageTag,
});
export type MailBody = Static<typeof MailBody>;

/** The answer to that, the same for every address. */
const MailAsked = Closed({});

/** The session of a browser; null when nobody is signed in, which isn't an error. */
const FoundSession = Closed({
  credential: Nullable(Credential),
  ways: Type.Array(OneOf(SIGN_IN_WAYS, { title: "SignInWay", description: "A way to sign in." }), {
    description: "The ways to sign in that this server has.",
  }),
  sends_mails: Type.Boolean({ description: "Whether the person can ask for mails, contract section 15." }),
});

/** The schemas of logins. The document doesn't have them: `handoff login` is their client. */
export const LOGIN_SCHEMAS = {
  beginLogin: { body: LoginBody, success: { status: 201, schema: BegunLogin } },
  pollLogin: { body: LoginPoll, success: { status: 200, schema: LoginAnswer } },
  endLogin: { success: { status: 204, description: "Ended." } },
} as const satisfies {
  readonly [Id in keyof typeof LOGIN_OPERATIONS]: { readonly success: Success } & HasBody<
    (typeof LOGIN_OPERATIONS)[Id]
  >;
};

/** The schemas of a person's account. As private as those of sessions. */
export const ACCOUNT_SCHEMAS = {
  listSessions: { success: { status: 200, schema: SessionList } },
  endSession: { success: { status: 204, description: "Ended." } },
  endOtherSessions: { success: { status: 204, description: "Ended." } },
  listPasskeys: { success: { status: 200, schema: PasskeyList } },
  beginAddingPasskey: { success: { status: 200, schema: PasskeyOptions } },
  addPasskey: { body: PasskeyBody, success: { status: 201, schema: Passkey } },
  removePasskey: { success: { status: 204, description: "Removed." } },
  getNotices: { success: { status: 200, schema: Notices } },
  setNotices: { body: NoticesBody, success: { status: 200, schema: Notices } },
  getLogin: { success: { status: 200, schema: PendingLogin } },
  approveLogin: { success: { status: 204, description: "Approved." } },
  refuseLogin: { success: { status: 204, description: "Refused." } },
} as const satisfies {
  readonly [Id in keyof typeof ACCOUNT_OPERATIONS]: { readonly success: Success } & HasBody<
    (typeof ACCOUNT_OPERATIONS)[Id]
  >;
};

/** The schemas of asking for a code by mail. As private as those of sessions. */
export const MAIL_SIGN_IN_SCHEMAS = {
  body: MailBody,
  success: { status: 202, schema: MailAsked },
} as const;

/** The schemas of sessions. They are private to the page, so the document doesn't have them. */
export const SESSION_SCHEMAS = {
  findSession: { success: { status: 200, schema: FoundSession } },
  signIn: { body: SignInBody, success: { status: 200, schema: PersonAs("Who is signed in.") } },
  signOut: { success: { status: 204, description: "Signed out." } },
} as const satisfies {
  readonly [Id in keyof typeof SESSION_OPERATIONS]: { readonly success: Success } & HasBody<
    (typeof SESSION_OPERATIONS)[Id]
  >;
};
