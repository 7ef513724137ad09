import type { RequestMetadata } from "../contract/requests.ts";
import { createAgeIdentity, findRecipient } from "../crypto/age-identities.ts";
import type { BackupLink } from "../crypto/backup-links.ts";
import { LINK_WORK_FACTOR, sealWithPassphrase } from "../crypto/envelopes.ts";
import { checkForm, encodeNote, FORM_TEMPLATES, parseField } from "../crypto/forms.ts";
import type { FormField } from "../crypto/forms.ts";
import { LinkError } from "../crypto/link-faults.ts";
import { createSeed } from "../crypto/links.ts";
import { deriveRequestKeys } from "../crypto/request-links.ts";
import { getCredential } from "./credentials.ts";
import type { HttpClient } from "./http-client.ts";
import { checkCreation, checkLifetime, checkProvable, checkTerms, checkTimes } from "./limits.ts";
import { storeRequest } from "./requests.ts";
import type { AskedRequest, PreparedRequest, RequestTerms } from "./requests.ts";

export interface AskOptions extends RequestTerms {
  /** The note for the person who is asked. It is sealed, so the server can't read it. */
  readonly note: string | undefined;
  /** The fields that are asked for. They are sealed with the note; none by default. */
  readonly fields?: readonly FormField[] | undefined;
  /** `x25519` for submitters whose age is older than 1.3. */
  readonly identityKind: "hybrid" | "x25519";
}

/** An age identity that was stored before its request had an id. */
export interface KeptAgeIdentity {
  /** Call it when the server has stored the request under this id. */
  readonly assign: (id: string) => void;
  /** Call it when the request wasn't made. */
  readonly drop: () => void;
}

/** The name of a template, which is a list of fields. */
export type FormTemplate = keyof typeof FORM_TEMPLATES;

/** The fields of a template, and then those written as `NAME` or `NAME:KIND`. Throws FormError. */
export function toForm(texts: readonly string[] = [], template?: FormTemplate): readonly FormField[] {
  const fields = [...(template === undefined ? [] : FORM_TEMPLATES[template]), ...texts.map(parseField)];
  checkForm(fields);
  return fields;
}

/**
 * Makes a request link. `keep` stores the private key first. Throws what `keep` throws, and ClientError; `other_terms`
 * when the request was made, and the server didn't take the terms.
 */
export async function askForSecret(
  client: HttpClient,
  options: AskOptions,
  keep: (ageIdentity: string) => KeptAgeIdentity,
): Promise<AskedRequest> {
  const { limits, rules } = await getCredential(client);
  checkCreation(rules, options, options.maxSubmissions);
  checkLifetime(options.ttlSeconds, limits.max_expires_in);
  checkTimes(options.maxSubmissions, limits.max_claims, "submissions");
  checkProvable(options.addressees, limits);
  const { note: text, fields = [] } = options;
  const isNoted = text !== undefined || fields.length > 0;
  const prepared = await prepareRequest(isNoted ? encodeNote({ text, fields }) : undefined, options.identityKind);
  const kept = keep(prepared.ageIdentity);
  const asked = await storeRequest(client, prepared, options).catch((error: unknown) => {
    // Even if the server stored the request, nobody has its link.
    kept.drop();
    throw error;
  });
  const { id, created_at: createdAt, expires_at: expiresAt, max_submissions: count } = asked.request;
  kept.assign(id);
  const terms = { from: Date.parse(createdAt), until: Date.parse(expiresAt) };
  checkTerms(
    "createRequest",
    { ttlSeconds: options.ttlSeconds, count: options.maxSubmissions },
    { ...terms, id, count },
  );
  return asked;
}

/** Makes the keys of a new request and seals its note, see `encodeNote`. */
export async function prepareRequest(
  note: string | undefined,
  identityKind: AskOptions["identityKind"],
): Promise<PreparedRequest> {
  const seed = createSeed();
  const [{ ageIdentity, recipient }, { submitTokenHash, notePassphrase }] = await Promise.all([
    createAgeIdentity(identityKind),
    deriveRequestKeys(seed),
  ]);
  const bytes = new TextEncoder().encode(note);
  const sealed = note === undefined ? undefined : await sealWithPassphrase(bytes, notePassphrase, LINK_WORK_FACTOR);
  return { seed, ageIdentity, recipient, submitTokenHash, note: sealed };
}

/** Throws LinkError unless the age identity in a backup link is that of `request`. */
export async function checkBackupLink({ ageIdentity }: BackupLink, request: RequestMetadata): Promise<void> {
  if ((await findRecipient(ageIdentity)) === request.recipient) return;
  throw new LinkError(
    "mistyped",
    "This link is mistyped: the key in it is not that of the request. Copy the whole link again.",
  );
}
