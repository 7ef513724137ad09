const LENGTH = 6;

/** The end of an id, by which one is told from another. */
export function idEndOf(id: string): string {
  return `…${id.slice(-LENGTH)}`;
}

/** The same, from left to right whatever stands around it. */
export function IdEnd({ id }: { readonly id: string }) {
  return (
    <bdi dir="ltr">
      <code>{idEndOf(id)}</code>
    </bdi>
  );
}
