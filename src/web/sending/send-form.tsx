import { useEffect, useState } from "preact/hooks";
import { storeSecret } from "../../client/stored-secrets.ts";
import type { SealedSecret, SentSecret } from "../../client/stored-secrets.ts";
import type { SecretState } from "../../contract/states.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { Screen } from "../frame/screens.tsx";
import {
  complaintAbout,
  ContentFields,
  isEmpty,
  isSurelyTooLarge,
  NO_CONTENT,
  tooLarge,
} from "../parts/content-fields.tsx";
import { useCount } from "../parts/counts.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { readContent } from "../parts/file-contents.ts";
import { TaskForm } from "../parts/task-form.tsx";
import { useOnce, useTask } from "../parts/tasks.ts";
import { TermsFields } from "../parts/terms-fields.tsx";
import { createSessionClient, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";
import { SentLink } from "./sent-link.tsx";

const { send } = STRINGS;

/** Sends text or files, and shows the link. */
export function SendForm(props: {
  readonly person: Person;
  /** As they are now, by their ids. */
  readonly states: ReadonlyMap<string, SecretState>;
}) {
  const { person, states } = props;
  const { limits } = person.credential;
  const [content, setContent] = useState(NO_CONTENT);
  const [expiresIn, setExpiresIn] = useState(limits.default_expires_in);
  const count = useCount(limits.default_max_claims, limits.max_claims);
  const [passphrase, setPassphrase] = useState("");
  const [isShown, setShown] = useState(false);
  const [sent, setSent] = useState<SentSecret | undefined>(undefined);
  const task = useTask((error) => describeSessionFailure(error).text);
  const sealOnce = useOnce<SealedSecret>();
  useUnsaved(!isEmpty(content), "typed");
  useEffect(prepareWorker, []);

  const submit = () =>
    task.run(async (say) => {
      const maxClaims = count.read();
      const wrong = complaintAbout(content);
      if (wrong !== undefined || maxClaims === undefined) return wrong;
      if (passphrase !== "" && passphrase.trim() === "") return send.blankPassphrase;
      const maxBytes = limits.max_ciphertext_bytes;
      if (isSurelyTooLarge(content, maxBytes)) return tooLarge(maxBytes);
      say(STRINGS.content.encrypting);
      const {
        value: sealed,
        idempotencyKey,
        done,
      } = await sealOnce([content, passphrase, expiresIn, maxClaims], async () =>
        inWorker({ kind: "send", content: await readContent(content), passphrase: passphrase || undefined }),
      );
      if (sealed.envelope.ciphertext.length > maxBytes) return tooLarge(maxBytes);
      // Not before: encrypting takes a while, in which somebody else may sign in.
      await requirePerson(person);
      say(STRINGS.content.sending(0));
      const client = createSessionClient({ onUpload: (percent) => say(STRINGS.content.sending(percent)) });
      setSent(await storeSecret(client, sealed, { ttlSeconds: expiresIn, maxClaims, idempotencyKey }));
      done();
      setContent(NO_CONTENT);
      setPassphrase("");
      return undefined;
    });
  const passphraseField = {
    autocomplete: "new-password",
    value: passphrase,
    "aria-describedby": "passphrase-hint",
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => setPassphrase(event.currentTarget.value),
  } as const;
  if (sent) {
    const state = states.get(sent.secret.id) ?? "available";
    return <SentLink sent={sent} state={state} onMore={() => setSent(undefined)} />;
  }
  return (
    <Screen title={send.title}>
      <TaskForm task={task} label={send.button} noValidate onSubmit={submit}>
        <ContentFields content={content} isBusy={task.progress !== ""} onChange={setContent} />
        <TermsFields
          limits={limits}
          lifetimeLabel={send.lifetime}
          expiresIn={expiresIn}
          onExpiresIn={setExpiresIn}
          countLabel={send.claims}
          count={count}
        />
        <label>
          {send.passphrase}
          <input {...(isShown ? { type: "text" } : { type: "password" })} {...passphraseField} />
          <small id="passphrase-hint">{send.passphraseHint}</small>
        </label>
        {passphrase !== "" && (
          <label class="check">
            <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.currentTarget.checked)} />
            {send.showPassphrase}
          </label>
        )}
      </TaskForm>
    </Screen>
  );
}
