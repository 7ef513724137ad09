import { useState } from "preact/hooks";
import { askToNotify, canAskToNotify } from "../service/notifications.ts";
import { ACTIVITY } from "../texts/activity.ts";

const { activity: words } = ACTIVITY;

/** Offers notifications until the person has allowed or blocked them. */
export function NotifyButton() {
  const [canAsk, setCanAsk] = useState(canAskToNotify);
  const [answer, setAnswer] = useState("");
  const ask = async () => {
    const isAllowed = await askToNotify();
    setCanAsk(canAskToNotify());
    setAnswer(isAllowed ? words.notifying : words.notNotifying);
  };
  return (
    <>
      {canAsk && (
        <button type="button" class="button text" onClick={() => void ask()}>
          {words.notify}
        </button>
      )}
      <span role="status" class="hint">
        {answer}
      </span>
    </>
  );
}
