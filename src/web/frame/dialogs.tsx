import { useEffect, useRef, useState } from "preact/hooks";
import { PAGE } from "../texts/page.ts";

/** A question to answer before an action continues. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** The text of the button that continues. */
  readonly confirm: string;
  /** True when continuing loses something for good. */
  readonly isDangerous?: boolean;
}

interface Asked {
  readonly question: Question;
  readonly answer: (yes: boolean) => void;
}

let show: ((asked: Asked) => void) | undefined;

/** Asks `question` in a dialog of the page. Resolves with true for yes, and false when the dialog is closed. */
export function askFirst(question: Question): Promise<boolean> {
  return new Promise((answer) => (show ? show({ question, answer }) : answer(false)));
}

/** Shows the questions of `askFirst`; the frame has one. */
export function Dialogs() {
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    show = (next) =>
      setAsked((former) => {
        former?.answer(false);
        return next;
      });
  }, []);
  useEffect(() => {
    if (asked) dialog.current?.showModal();
  }, [asked]);
  if (!asked) return null;
  const { question } = asked;
  const close = (yes: boolean) => {
    // Closing the dialog returns the focus to where it was.
    dialog.current?.close();
    setAsked(undefined);
    asked.answer(yes);
  };
  return (
    <dialog
      ref={dialog}
      class="dialog stack-m"
      aria-labelledby="question"
      onCancel={(event) => {
        event.preventDefault();
        close(false);
      }}
    >
      <h2 id="question">{question.title}</h2>
      <p>{question.text}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => close(false)}>
          {PAGE.cancel}
        </button>
        <button
          type="button"
          class={question.isDangerous ? "button danger" : "button primary"}
          onClick={() => close(true)}
        >
          {question.confirm}
        </button>
      </div>
    </dialog>
  );
}
