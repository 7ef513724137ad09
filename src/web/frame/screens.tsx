import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { STRINGS } from "../strings.ts";
import { useSlowServer } from "./answering.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import type { Notice, Tone } from "./notices.ts";

/** A card with a title, and what belongs to it. The title is read out when it changes. */
export function Screen(props: {
  readonly title: string;
  /** The icon above the title, only where the screen has a state. */
  readonly icon?: IconName | undefined;
  readonly tone?: Tone | undefined;
  /** The quiet line below the title. */
  readonly lede?: ComponentChildren;
  /** The way back above the title. */
  readonly up?: ComponentChildren;
  /** A filter, or the like, beside the title. */
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { title, icon, tone, lede, up, beside, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${BRAND.name}`;
    heading.current?.focus();
  }, [title]);
  const head = (
    <div class="head">
      {icon && (
        <div class={tone ? `seal ${tone}` : "seal"}>
          <Icon name={icon} />
        </div>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lede && <p class="lede">{lede}</p>}
    </div>
  );
  return (
    <section class="card stack">
      {up}
      {beside ? (
        <div class="list-head">
          {head}
          {beside}
        </div>
      ) : (
        head
      )}
      {children}
    </section>
  );
}

/** The way to the screen that a screen belongs to. */
export function UpLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <p class="small">
      <a class="up" href={href}>
        <Icon name="chevron" />
        {text}
      </a>
    </p>
  );
}

/** A sentence, and a button where trying again makes sense. */
export function NoticeScreen(props: {
  readonly notice: Notice;
  readonly onRetry?: () => void;
  /** Other things that can be done. */
  readonly children?: ComponentChildren;
}) {
  const { notice, onRetry, children } = props;
  const isOpen = notice.canRetry === true;
  return (
    <Screen
      title={notice.title}
      lede={notice.lede ?? notice.text}
      icon={notice.icon ?? "warning"}
      tone={notice.tone ?? (notice.icon ? undefined : "warn")}
    >
      {isOpen && onRetry && (
        <div class="buttons">
          <button type="button" class="button primary wide-on-phone" onClick={onRetry}>
            <Icon name="refresh" />
            {STRINGS.failed.again}
          </button>
        </div>
      )}
      {notice.below}
      {children}
    </Screen>
  );
}

/** The line above something that is not brought up to date; without `onRetry` it will be again by itself. */
export function Interruption({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div class="notice warn" role="status">
      <Icon name="offline" />
      <div class="notice-row">
        <p>{text}</p>
        {onRetry && (
          <button type="button" class="button" onClick={onRetry}>
            {STRINGS.failed.again}
          </button>
        )}
      </div>
    </div>
  );
}

/** The screen while nothing can be said yet. */
export function LoadingScreen() {
  const isSlow = useSlowServer();
  return (
    <p role="status" class="quiet loading">
      {isSlow ? STRINGS.slow : STRINGS.loading}
    </p>
  );
}
