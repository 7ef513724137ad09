import { useEffect, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { findOwnName } from "../../client/page/sessions.ts";
import { proveOwnAddress } from "../../client/signing-in/proofs.ts";
import { topUrl } from "../browser/places.ts";
import { LoadingScreen } from "../frame/screens.tsx";
import { isAddress } from "../parts/typed-mail.ts";
import { Warning } from "../parts/warning.tsx";
import { createSessionClient } from "../service/clients.ts";
import { MAIL } from "../texts/mail.ts";
import { PROVING } from "../texts/proving.ts";
import { AddressForm } from "./address-form.tsx";
import { mayBe, parseMask } from "./addressees.ts";
import type { Mask } from "./addressees.ts";
import { CodeForm } from "./code-form.tsx";
import { findBegunProof, findProof, forgetProof, keepBegunProof, toHeldProof } from "./kept-proofs.ts";
import type { BegunProof } from "./kept-proofs.ts";
import type { HeldProof, ProveProps } from "./proofs.ts";

const { proof: words } = PROVING;

/** The visitor of this browser, as far as it matters for a proof. */
interface Prover {
  /** The address of the signed-in person; undefined when nobody is signed in, or their name is no address. */
  readonly own: string | undefined;
  /** False when the server sends no mails. */
  readonly canMail: boolean;
}

/** Asks for the proof of an address: by the session of this browser, or by a code that comes by mail. */
export function ProveAddress(props: ProveProps) {
  const { subject, addressees, refused, openLabel, onProven } = props;
  const [prover, setProver] = useState<Prover | undefined>(undefined);
  const [begun, setBegun] = useState(() => findBegunProof(subject.id));
  const [isOther, setOther] = useState(false);
  useEffect(() => {
    if (refused) forgetProof(subject.id);
    const kept = findProof(subject.id);
    // Nothing is opened by itself.
    if (kept && openLabel === undefined) onProven(toHeldProof(subject.id, kept));
    else void readProver().then(setProver);
  }, []);
  if (!prover) return <LoadingScreen />;
  const begin = (next: BegunProof) => {
    keepBegunProof(subject.id, next);
    setBegun(next);
  };
  const leave = () => {
    forgetProof(subject.id);
    setBegun(undefined);
    setOther(true);
  };
  if (begun) return <CodeForm {...props} begun={begun} onBegun={begin} onLeave={leave} />;
  const masks = addressees.map(parseMask);
  const { own, canMail } = prover;
  const isRefused = refused?.isOwn === true && refused.address === own;
  const isOwnWrong = own !== undefined && (isRefused || !masks.some((mask) => mayBe(mask, own)));
  const known = refused?.isOwn === false ? refused.address : undefined;
  return (
    <div class="stack-m">
      <Addressees masks={masks} />
      {props.needsApproval && <p>{words.thenApproval}</p>}
      {isOwnWrong && <Warning role="status">{words.notFor(own)}</Warning>}
      {known !== undefined && <Warning role="status">{words.ended}</Warning>}
      {own !== undefined && !isOwnWrong && !isOther ? (
        <OwnAddress {...props} own={own} onOther={canMail ? () => setOther(true) : undefined} />
      ) : canMail ? (
        <AddressForm
          {...props}
          masks={masks}
          known={known}
          hasFocus={isOther || refused !== undefined}
          onBegun={begin}
        />
      ) : (
        <SignInFirst />
      )}
      <p class="hint">{words.worth}</p>
    </div>
  );
}

/** The chosen people, in a sentence or a list. */
function Addressees({ masks }: { readonly masks: readonly Mask[] }) {
  const [only, ...others] = masks;
  if (only && others.length === 0) {
    return <p>{only.start === undefined ? words.forDomain(only.domain) : words.forAddress(describeMask(only))}</p>;
  }
  return (
    <div>
      <p>{words.forSeveral}</p>
      <ul>
        {masks.map((mask) => (
          <li key={describeMask(mask)}>
            <bdi>{describeMask(mask)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeMask({ start, domain }: Mask): string {
  // A line may not end within it.
  return start === undefined ? words.everyoneAt(domain) : `${start}…\u2060@${domain}`;
}

/** Going on with the address of the signed-in person. */
function OwnAddress({
  subject,
  openLabel,
  own,
  onProven,
  onOther,
}: ProveProps & {
  readonly own: string;
  /** Undefined where no other address can be proven. */
  readonly onOther: (() => void) | undefined;
}) {
  return (
    <div class="buttons">
      <button type="button" class="button primary" onClick={() => onProven(toOwnProof(own, subject.id))}>
        {openLabel === undefined ? words.continueAs(own) : words.openAs(own)}
      </button>
      {onOther && (
        <button type="button" class="button" onClick={onOther}>
          {MAIL.mail.otherAddress}
        </button>
      )}
    </div>
  );
}

/** Where the server sends no mails, only people who are signed in can prove an address. */
function SignInFirst() {
  return (
    <>
      <p>{words.noMail}</p>
      <div class="buttons">
        <a class="button" href={`${topUrl()}/`}>
          {words.signIn}
        </a>
      </div>
    </>
  );
}

/** Never rejects: without an answer, a code is the way that needs no session. */
async function readProver(): Promise<Prover> {
  const found = await findOwnName(topUrl());
  const name = found?.name;
  return {
    own: name !== undefined && isAddress(name) ? name : undefined,
    canMail: found === undefined || found.ways.includes("mail"),
  };
}

/** The proof by this browser's session. Each call has a token of its own, so that it never ends. */
function toOwnProof(address: string, subjectId: string): HeldProof {
  return {
    address,
    isOwn: true,
    async getToken() {
      try {
        return (await proveOwnAddress(createSessionClient(), subjectId)).proof_token;
      } catch (error) {
        // Signed out since.
        if (!(error instanceof ClientError) || error.kind !== "credential") throw error;
        throw new ClientError("proof_required", "failure", error.message);
      }
    },
  };
}
