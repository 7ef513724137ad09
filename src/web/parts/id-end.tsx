const LENGTH = 6;

/** The last characters of an ID, which tell it from others. */
export function idEndOf(id: string): string {
  return `…${id.slice(-LENGTH)}`;
}

/** The same, written from left to right in any context. */
export function IdEnd({ id }: { readonly id: string }) {
  return (
    <bdi dir="ltr">
      <code>{idEndOf(id)}</code>
    </bdi>
  );
}
