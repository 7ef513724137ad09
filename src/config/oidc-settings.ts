import { Type } from "@sinclair/typebox";
import { list, text } from "./setting-kinds.ts";

/** The settings of single sign-on. */
export const OIDC_RECORDS = {
  oidcIssuer: {
    kind: "text",
    schema: Type.String({
      pattern: String.raw`^(https://[^\s?#@/"<>]+|http://(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?)(/[^\s?#"<>]*)?$`,
    }),
    valueName: "URL",
    expected: "the https URL of a provider, without a query; http only for 127.0.0.1, [::1] and localhost",
    doc: "Single sign-on: the issuer of your OpenID Connect provider, such as `https://login.example/realms/acme`, exactly as the provider writes it. Needs `--oidc-client-id` and `--oidc-allow`. The provider sends browsers back to `/sign-in` below `--base-url`.",
  },
  oidcClientId: { ...text, valueName: "ID", doc: "The name under which the provider knows this server." },
  oidcClientSecretFile: {
    ...text,
    valueName: "FILE",
    doc: "A file with the secret that the provider has given this server. Without it, it is a public client.",
  },
  oidcAllow: {
    ...list,
    schema: Type.Array(Type.String({ pattern: "^[^=]+=.+$" })),
    valueName: "CLAIM=VALUE",
    expected: "claims with values, such as email_domain=acme.example or groups=handoff",
    doc: "Whom the provider lets in: accounts whose claim has this value, or contains it, such as `groups=handoff`. `email` and `email_domain` count only for addresses that the provider has verified. May be repeated; one match suffices.",
  },
  oidcTeam: {
    ...text,
    valueName: "TEAM",
    doc: "The team, by name or id, that new people from the provider belong to. Without it only people whom an admin has added can sign in.",
  },
  oidcAddressClaim: {
    ...text,
    default: "email",
    valueName: "CLAIM",
    doc: "The claim with a person's address. `email` counts only when the provider says that it is verified. Any other is trusted: name only one that people can't change themselves, such as `preferred_username` of Entra ID.",
  },
  oidcRecheck: {
    kind: "duration",
    schema: Type.Integer({ minimum: 300, maximum: 30 * 24 * 60 * 60 }),
    default: "8h",
    valueName: "DURATION",
    doc: "How long a sign-in at the provider counts. After that the page asks the provider again, without a word if the person is still signed in there.",
  },
} as const;
