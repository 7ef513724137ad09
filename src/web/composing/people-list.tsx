import type { ComponentChildren } from "preact";

/** The people whom a link is for. `children` makes the tools beside each of them. */
export function People(props: {
  readonly name: string;
  readonly list: readonly string[];
  readonly children?: (each: string, position: number) => ComponentChildren;
}) {
  const { name, list, children } = props;
  return (
    <ul class={children ? "people picks is-shown" : "people"} aria-label={name}>
      {list.map((each, position) => (
        <li key={each} class={children && "pick"}>
          <bdi dir="ltr" translate={false}>
            {each}
          </bdi>
          {children?.(each, position)}
        </li>
      ))}
    </ul>
  );
}
