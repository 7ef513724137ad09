import type { CDPSession, Page } from "playwright-core";

/** A device with passkeys, in place of the browser's own. It answers by itself, as a person who presses "Continue". */
export interface TestAuthenticator {
  /** The number of passkeys on the device. */
  count(): Promise<number>;
  /** Whether its person is recognized: with false, every dialog of the browser ends as if they had canceled it. */
  recognize(isRecognized: boolean): Promise<void>;
}

/**
 * Adds a device to the browser of `page`. It is gone, with its passkeys, as soon as another session of the protocol of
 * developer tools ends, such as that of axe.
 */
export async function addAuthenticator(page: Page): Promise<TestAuthenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    count: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    recognize: async (isUserVerified) => {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}
