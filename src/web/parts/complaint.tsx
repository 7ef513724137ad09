import { Icon } from "../frame/icon.tsx";

/** The place of a complaint, directly below what it is about; it is read out when it appears. */
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
