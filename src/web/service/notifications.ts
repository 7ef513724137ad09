/** True when somebody can still be asked whether this page may notify them. */
export function canAskToNotify(): boolean {
  return "Notification" in globalThis && Notification.permission === "default";
}

/** Has the browser ask. Resolves with whether it may; only to be called when somebody pressed a button for it. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === "granted";
}

/** Shows a notification, where that was allowed; a press on it leads back to this tab. */
export function notify(text: string): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(text);
    notification.addEventListener("click", () => {
      focus();
      notification.close();
    });
  } catch {
    // Browsers of phones have notifications of service workers alone.
  }
}
