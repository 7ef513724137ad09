import { useState } from "preact/hooks";
import type { HttpClient } from "../client/http-client.ts";
import { type SentSecret, storeShare } from "../client/shares.ts";
import type { CredentialLimits } from "../contract/credentials.ts";
import { complaintAbout, ContentFields, isSurelyTooLarge, NO_CONTENT, tooLarge } from "./content-fields.tsx";
import { describeSessionFailure } from "./failures.ts";
import { readPayload } from "./file-payloads.ts";
import { lifetimesWithin, PolicyFields } from "./policy-fields.tsx";
import { Screen } from "./screens.tsx";
import { SentLink } from "./sent-link.tsx";
import { STRINGS } from "./strings.ts";
import { inWorker } from "./workers.ts";

const { send } = STRINGS;

/** Sends text or files, and shows the link. */
export function SendForm({ client, limits }: { readonly client: HttpClient; readonly limits: CredentialLimits }) {
  const [content, setContent] = useState(NO_CONTENT);
  const [expiresIn, setExpiresIn] = useState(lifetimesWithin(limits).first);
  const [maxClaims, setMaxClaims] = useState(1);
  const [passphrase, setPassphrase] = useState("");
  const [progress, setProgress] = useState("");
  const [complaint, setComplaint] = useState("");
  const [sent, setSent] = useState<SentSecret | undefined>(undefined);
  const maxBytes = limits.max_ciphertext_bytes;

  const seal = async () => {
    const payload = await readPayload(content);
    return inWorker({ kind: "share", payload, passphrase: passphrase || undefined });
  };

  const submit = async () => {
    if (progress !== "") return;
    const wrong = complaintAbout(content);
    if (wrong !== undefined) return setComplaint(wrong);
    setComplaint("");
    setProgress(STRINGS.content.encrypting);
    try {
      const share = isSurelyTooLarge(content, maxBytes) ? undefined : await seal();
      if (!share || share.envelope.ciphertext.length > maxBytes) {
        setComplaint(tooLarge(maxBytes));
      } else {
        setProgress(STRINGS.content.sending);
        setSent(await storeShare(client, share, { expiresIn, maxClaims }));
        setContent(NO_CONTENT);
        setPassphrase("");
      }
    } catch (error) {
      setComplaint(describeSessionFailure(error).text);
    }
    setProgress("");
  };
  if (sent) return <SentLink sent={sent} onMore={() => setSent(undefined)} />;
  return (
    <Screen title={send.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ContentFields content={content} onChange={setContent} />
        <PolicyFields
          limits={limits}
          lifetimeLabel={send.lifetime}
          expiresIn={expiresIn}
          onExpiresIn={setExpiresIn}
          countLabel={send.claims}
          count={maxClaims}
          onCount={setMaxClaims}
        />
        <label>
          {send.passphrase}
          <input
            type="password"
            autocomplete="new-password"
            value={passphrase}
            aria-describedby="passphrase-hint"
            onInput={(event) => setPassphrase(event.currentTarget.value)}
          />
          <small id="passphrase-hint">{send.passphraseHint}</small>
        </label>
        <p role="alert" class="complaint">
          {complaint}
        </p>
        <button type="submit" aria-disabled={progress !== ""}>
          <span aria-live="polite">{progress || send.button}</span>
        </button>
      </form>
    </Screen>
  );
}
