import type { ComponentChildren, RefObject } from "preact";

/** A form that checks its fields itself. Ctrl + Enter, or Command + Enter, submits it from any of them. */
export function Form(props: {
  readonly form?: RefObject<HTMLFormElement | null>;
  readonly class?: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}) {
  const { form, class: name = "stack", onSubmit, children } = props;
  return (
    <form
      ref={form ?? null}
      class={name}
      noValidate
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
