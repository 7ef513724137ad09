import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { Authenticators } from "../domain/ports/authenticators.ts";
import { ATTEMPT_SECONDS } from "../domain/signing-in/passkeys.ts";

const TIMEOUT_MS = ATTEMPT_SECONDS * 1000;
/** How an authenticator may be reached: what WebAuthn names, and no other text of a browser's. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** Passkeys as WebAuthn has them: discoverable, with the person verified, and without an attestation. */
export const authenticators: Authenticators = {
  creationOptions: ({ party, challenge, user, known }) =>
    generateRegistrationOptions({
      rpID: party.id,
      rpName: party.name,
      userID: new TextEncoder().encode(user.id),
      userName: user.name,
      userDisplayName: user.displayName,
      challenge: isoBase64URL.toBuffer(challenge),
      timeout: TIMEOUT_MS,
      attestationType: "none",
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: toTransports(transports),
      })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    }),
  requestOptions: ({ party, challenge }) =>
    generateAuthenticationOptions({
      rpID: party.id,
      challenge: isoBase64URL.toBuffer(challenge),
      timeout: TIMEOUT_MS,
      userVerification: "required",
    }),
  async verifyCreation(answer, { party, challenge }) {
    try {
      const response = answer as RegistrationResponseJSON;
      if (hasAttestation(response) || isFramed(response.response.clientDataJSON)) return undefined;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
      });
      if (!verified) return undefined;
      const { id, publicKey, counter } = registrationInfo.credential;
      return { credentialId: id, publicKey, counter, transports: toTransports(response.response.transports) };
    } catch {
      return undefined;
    }
  },
  credentialIdOf(answer) {
    const id: unknown = typeof answer === "object" && answer !== null && "id" in answer ? answer.id : undefined;
    return typeof id === "string" ? id : undefined;
  },
  async verifyRequest(answer, { party, challenge, passkey, userId }) {
    try {
      const response = answer as AuthenticationResponseJSON;
      const { clientDataJSON, userHandle } = response.response;
      if (isFramed(clientDataJSON)) return undefined;
      if (userHandle === undefined || isoBase64URL.toUTF8String(userHandle) !== userId) return undefined;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        // The counter is compared where it is kept, in one transaction.
        credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
        requireUserVerification: true,
      });
      return verified ? { counter: authenticationInfo.newCounter } : undefined;
    } catch {
      return undefined;
    }
  },
};

/**
 * True for an answer that says who made the authenticator. We ask for none, and browsers send none: with certificates
 * in it, the library would call the addresses that they name.
 */
function hasAttestation({ response }: RegistrationResponseJSON): boolean {
  const statement = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = statement.get("fmt");
  // A key that vouches for itself is left as it is (WebAuthn Level 3, section 5.1.3, step 24).
  if (format === "packed") return statement.get("attStmt").get("x5c") !== undefined;
  return format !== "none";
}

/** True for an answer from a page inside one of another origin, which this page never is (section 5.8.1). */
function isFramed(clientDataJSON: string): boolean {
  return decodeClientDataJSON(clientDataJSON).crossOrigin === true;
}

function toTransports(given: unknown): Transport[] {
  return Array.isArray(given) ? TRANSPORTS.filter((transport) => given.includes(transport)) : [];
}
