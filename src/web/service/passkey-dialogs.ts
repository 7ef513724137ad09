import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";

/**
 * What came of a browser's dialog about passkeys: its answer for the server, or that the person canceled it, that their
 * device has a passkey already, or that the browser can't do it here.
 */
export type DialogResult =
  { readonly kind: "answered"; readonly answer: object } | { readonly kind: "canceled" | "known" | "unusable" };

/** Has the browser make a passkey. The options are those of the server. Never rejects. */
export function askForNewPasskey(options: object): Promise<DialogResult> {
  return ask(() =>
    startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]["optionsJSON"] }),
  );
}

/** Has the browser use a passkey. The options are those of the server. Never rejects. */
export function askForPasskey(options: object): Promise<DialogResult> {
  return ask(() =>
    startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]["optionsJSON"] }),
  );
}

/** True when the browser can offer passkeys among its suggestions for a field. */
export function canOfferPasskeys(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill();
}

/**
 * Has the browser offer passkeys among its suggestions for the field that asks for that. Resolves once one was chosen
 * or the offer has ended: another dialog ends it. The options are those of the server. Never rejects.
 */
export function offerPasskey(options: object): Promise<DialogResult> {
  return ask(() =>
    startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]["optionsJSON"],
      useBrowserAutofill: true,
      // The field may be gone by then, and the browser offers nothing without it.
      verifyBrowserAutofillInput: false,
    }),
  );
}

/** Ends an offer or a dialog that waits. */
export function cancelDialogs(): void {
  WebAuthnAbortService.cancelCeremony();
}

async function ask(show: () => Promise<object>): Promise<DialogResult> {
  try {
    return { kind: "answered", answer: await show() };
  } catch (error) {
    return { kind: kindOf(error instanceof Error ? error.name : "") };
  }
}

/** The names are those of WebAuthn. Browsers report in one way that a dialog was canceled, and that time is over. */
function kindOf(name: string): "canceled" | "known" | "unusable" {
  if (name === "NotAllowedError" || name === "AbortError") return "canceled";
  return name === "InvalidStateError" ? "known" : "unusable";
}
