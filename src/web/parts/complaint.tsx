import { Icon } from "../frame/icon.tsx";

/** A complaint, directly below its cause. Screen readers announce it. */
export function Complaint({ text, id }: { readonly text: string; readonly id?: string }) {
  return (
    <div role="alert" id={id} class="complaint">
      {text && (
        <p class="wrong">
          <Icon name="alarm" />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
