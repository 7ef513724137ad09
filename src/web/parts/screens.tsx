import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { STRINGS } from "../strings.ts";
import type { Notice } from "./failures.ts";
import { useRetryNotice } from "./retries.ts";

/** One calm screen: a title, and what belongs to it. The title is read out when it changes. */
export function Screen({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${STRINGS.name}`;
    heading.current?.focus();
  }, [title]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  );
}

/** A sentence, and a button where trying again makes sense. */
export function NoticeScreen({ notice, onRetry }: { readonly notice: Notice; readonly onRetry?: () => void }) {
  return (
    <Screen title={notice.title}>
      <p>{notice.text}</p>
      {notice.canRetry && onRetry && (
        <button type="button" onClick={onRetry}>
          {STRINGS.failed.again}
        </button>
      )}
    </Screen>
  );
}

/** The line above something that is no longer brought up to date. */
export function Interruption({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  return (
    <p role="status">
      {text}{" "}
      <button type="button" class="plain" onClick={onRetry}>
        {STRINGS.failed.again}
      </button>
    </p>
  );
}

/** The screen while nothing can be said yet. */
export function LoadingScreen() {
  return (
    <p role="status" class="quiet">
      {STRINGS.loading}
    </p>
  );
}

/** The frame of every screen. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const retryNotice = useRetryNotice();
  return (
    <>
      <header>{STRINGS.name}</header>
      <main>
        {children}
        <p role="status" class="quiet">
          {retryNotice}
        </p>
      </main>
      <footer>{STRINGS.footer}</footer>
    </>
  );
}
