import type { Task } from "./tasks.ts";

/** The button at the end of a form, and above it what was wrong. */
export function TaskButton({ task, label }: { readonly task: Task; readonly label: string }) {
  return (
    <>
      <p role="alert" class="complaint">
        {task.complaint}
      </p>
      <button type="submit" aria-disabled={task.progress !== ""}>
        <span aria-live="polite">{task.progress || label}</span>
      </button>
    </>
  );
}
