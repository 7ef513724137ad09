import type { MailKit } from "./mail-kits.ts";

/** A little less than a server waits for the answer. */
const REFRESH_MS = 4.5 * 60_000;

/**
 * Has the browser offer passkeys among its suggestions for a field, until it is stopped, a dialog for passkeys opens,
 * or one was chosen. A server takes each question for five minutes, so it is asked anew before. Never throws.
 */
export function offerPasskeys(
  { goOn, signInWith }: MailKit,
  onFailed: (complaint: string) => void,
): { readonly stop: () => void } {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancel = () => {};
  const offer = async (): Promise<void> => {
    const dialogs = await import("../service/passkey-dialogs.ts");
    if (isStopped || !(await dialogs.canOfferPasskeys())) return;
    cancel = dialogs.cancelDialogs;
    let isRefreshed = false;
    timer = setTimeout(() => {
      isRefreshed = true;
      dialogs.cancelDialogs();
    }, REFRESH_MS);
    const result = await signInWith((options) => (isStopped ? undefined : dialogs.offerPasskey(options)));
    clearTimeout(timer);
    if (isStopped) return;
    if (result === "signed-in") return goOn();
    if (result === "canceled") return isRefreshed ? offer() : undefined;
    onFailed(result.complaint);
  };
  // Without it, the field works all the same.
  offer().catch(() => undefined);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      cancel();
    },
  };
}
