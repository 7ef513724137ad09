/** True while the person has neither allowed nor blocked notifications. */
export function canAskToNotify(): boolean {
  return "Notification" in globalThis && Notification.permission === "default";
}

/** Has the browser ask for permission, and resolves with the answer. Call it only after the press of a button. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === "granted";
}

/** Shows a notification, if that is allowed. A press on it focuses this tab. */
export function notify(text: string): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(text);
    notification.addEventListener("click", () => {
      focus();
      notification.close();
    });
  } catch {
    // Browsers on phones support notifications from service workers only.
  }
}
