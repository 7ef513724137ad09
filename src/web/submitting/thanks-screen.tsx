import { Icon } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import { Warning } from "../parts/warning.tsx";
import { SUBMITTING } from "../texts/submitting.ts";
import type { HandedIn } from "./hand-in-screen.tsx";

const { done: words } = SUBMITTING.submit;

/** The screen after a secret was handed in. */
export function ThanksScreen(props: {
  readonly handedIn: HandedIn;
  /** Opens the form again; undefined when nothing more can be handed in. */
  readonly onMore: (() => void) | undefined;
}) {
  const { handedIn, onMore } = props;
  return (
    <Screen title={words.title} icon="check" envelope="closed" width="narrow" lede={words.text}>
      {handedIn.hadEarlier && <Warning>{words.hadEarlier}</Warning>}
      {onMore && (
        <div class="buttons">
          <button type="button" class="button" onClick={onMore}>
            <Icon name="plus" />
            {words.more}
          </button>
        </div>
      )}
      <p class="hint">
        {words.reference}{" "}
        <bdi class="mono" translate={false}>
          {handedIn.secretId}
        </bdi>
        <br />
        {words.referenceText}
      </p>
    </Screen>
  );
}
