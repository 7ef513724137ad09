import { useState } from "preact/hooks";
import { ClientError } from "../client/errors.ts";
import type { HttpClient } from "../client/http-client.ts";
import { type SentSecret, storeShare } from "../client/shares.ts";
import type { CredentialLimits } from "../contract/credentials.ts";
import { describeFailure } from "./failures.ts";
import { FileField } from "./file-field.tsx";
import { payloadSize, readPayload } from "./file-payloads.ts";
import { formatSize } from "./formats.ts";
import { Screen } from "./screens.tsx";
import { SentLink } from "./sent-link.tsx";
import { STRINGS } from "./strings.ts";
import { inWorker } from "./workers.ts";

const { send, submit } = STRINGS;
const HOUR = 3600;
const LIFETIMES = [HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR];

/** Sends text or files, and shows the link. */
export function SendForm({ client, limits }: { readonly client: HttpClient; readonly limits: CredentialLimits }) {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [expiresIn, setExpiresIn] = useState(24 * HOUR);
  const [maxClaims, setMaxClaims] = useState(1);
  const [passphrase, setPassphrase] = useState("");
  const [progress, setProgress] = useState("");
  const [complaint, setComplaint] = useState("");
  const [sent, setSent] = useState<SentSecret | undefined>(undefined);

  const seal = async () => {
    const payload = await readPayload(text, files);
    return inWorker({ kind: "share", payload, passphrase: passphrase || undefined });
  };

  const submitForm = async () => {
    if (progress !== "") return;
    if (text === "" && files.length === 0) return setComplaint(submit.empty);
    if (text !== "" && files.length > 0) return setComplaint(submit.both);
    setComplaint("");
    setProgress(submit.encrypting);
    try {
      const isTooLarge = (payloadSize(text, files) * 4) / 3 > limits.max_ciphertext_bytes;
      const share = isTooLarge ? undefined : await seal();
      if (!share || share.envelope.ciphertext.length > limits.max_ciphertext_bytes) {
        setComplaint(submit.tooLarge(formatSize((limits.max_ciphertext_bytes * 3) / 4)));
      } else {
        setProgress(submit.sending);
        setSent(await storeShare(client, share, { expiresIn, maxClaims }));
        setText("");
        setFiles([]);
        setPassphrase("");
      }
    } catch (error) {
      const isName = error instanceof ClientError && error.code === "bad_file_name";
      setComplaint(isName ? error.message : describeFailure(error).text);
    }
    setProgress("");
  };
  if (sent) return <SentLink sent={sent} onMore={() => setSent(undefined)} />;
  return (
    <Screen title={send.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submitForm();
        }}
      >
        <label>
          {submit.text}
          <textarea
            rows={4}
            autocomplete="off"
            spellcheck={false}
            dir="auto"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <FileField files={files} onChange={setFiles} />
        <div class="row">
          <label>
            {send.lifetime}
            <select value={expiresIn} onChange={(event) => setExpiresIn(Number(event.currentTarget.value))}>
              {LIFETIMES.filter((seconds) => seconds <= limits.max_expires_in).map((seconds) => (
                <option key={seconds} value={seconds}>
                  {send.hours(seconds / HOUR)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {send.claims}
            <input
              type="number"
              min={1}
              max={limits.max_claims}
              required
              value={maxClaims}
              onInput={(event) => setMaxClaims(event.currentTarget.valueAsNumber)}
            />
          </label>
        </div>
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
