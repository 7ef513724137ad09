/** How long after the last input the page's own reads still count as those of its person. */
const ATTENTION_MS = 60_000;

let inputAt = performance.now();
for (const type of ["pointerdown", "pointermove", "keydown", "wheel"]) {
  addEventListener(type, () => void (inputAt = performance.now()), { capture: true, passive: true });
}

/** True when nobody has used the page for a minute. What it reads then is no use of the session. */
export function isUnattended(): boolean {
  return performance.now() - inputAt > ATTENTION_MS;
}
