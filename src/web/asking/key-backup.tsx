import { useState } from "preact/hooks";
import { useUnsaved } from "../browser/unsaved.ts";
import { Icon } from "../frame/icon.tsx";
import { SENDING } from "../texts/sending.ts";
import { download } from "../viewing/downloads.ts";

const { backup: words } = SENDING.asked;

/**
 * The backup of a request's private key. It must not look like the link to send: it is closed, has no copy button, and
 * is a file, not a text.
 */
export function KeyBackup(props: {
  readonly link: string;
  /** The last characters of the request's ID. */
  readonly idEnd: string;
  /** True when this browser keeps the key too. */
  readonly isKept: boolean;
  /** True while the key can open something, now or later. */
  readonly isOfUse: boolean;
}) {
  const { link, idEnd, isKept, isOfUse } = props;
  const [isTaken, setTaken] = useState(isKept);
  useUnsaved(!isTaken && isOfUse, "link");
  const name = `handoff-backup-${idEnd}.txt`;
  const save = () => {
    download(name, new TextEncoder().encode(words.file(link)));
    setTaken(true);
  };
  if (!isOfUse) return null;
  return (
    <details class="backup" open={!isKept}>
      <summary>
        <Icon name="key" />
        <span>
          <b>{words.title}</b>
          <span>{isKept ? words.kept : words.notKept}</span>
        </span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="backup-body">
        <p class="small">
          {words.text} <b>{words.warning}</b>
        </p>
        <div class="buttons">
          <button type="button" class="button" onClick={save}>
            <Icon name="download" />
            {words.save}
          </button>
          <span class="small mono">{name}</span>
        </div>
        <ForPasswordManager link={link} onTaken={() => setTaken(true)} />
      </div>
    </details>
  );
}

/** Shows the backup link as text, after a warning and a second press. */
function ForPasswordManager({ link, onTaken }: { readonly link: string; readonly onTaken: () => void }) {
  const [step, setStep] = useState<"shut" | "warned" | "shown">("shut");
  return (
    <>
      <p role="alert" class="small">
        {step === "warned" && words.sure}
      </p>
      {step === "shown" ? (
        <p
          class="backup-link mono small"
          role="group"
          aria-label={words.link}
          tabIndex={0}
          dir="ltr"
          translate={false}
          onCopy={onTaken}
        >
          {link}
        </p>
      ) : (
        <button type="button" class="button" onClick={() => setStep(step === "shut" ? "warned" : "shown")}>
          <Icon name="eye" />
          {step === "shut" ? words.show : words.showNow}
        </button>
      )}
    </>
  );
}
