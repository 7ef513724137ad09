import { Screen } from "../frame/screens.tsx";
import { STRINGS } from "../strings.ts";

const { landing } = STRINGS;

/** `/`: what this is, and how to get in. */
export function LandingPage() {
  return (
    <Screen title={landing.title}>
      <p>{landing.text}</p>
      <p>{landing.got}</p>
      <p>{landing.send}</p>
      <pre tabIndex={0}>{landing.command}</pre>
      <p>
        <a href="docs">{landing.docs}</a>
      </p>
    </Screen>
  );
}
