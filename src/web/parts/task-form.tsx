import type { ComponentChildren } from "preact";
import type { Task } from "./tasks.ts";

/** A form that does a task when it is sent, with its button at the end, and above that what was wrong. */
export function TaskForm(props: {
  readonly task: Task;
  /** The text of the button while nothing is done. */
  readonly label: string;
  /** True when the browser leaves it to `onSubmit` to say what is missing. */
  readonly noValidate?: boolean;
  readonly onSubmit: () => Promise<void>;
  readonly children: ComponentChildren;
}) {
  const { task, label, noValidate = false, onSubmit, children } = props;
  return (
    <form
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
      <p role="alert" class="complaint">
        {task.complaint}
      </p>
      <button type="submit" aria-disabled={task.progress !== ""}>
        <span aria-live="polite">{task.progress || label}</span>
      </button>
    </form>
  );
}
