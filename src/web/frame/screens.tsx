import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { PAGE } from "../texts/page.ts";
import { useSlowServer } from "./answering.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import type { Notice, Tone } from "./notices.ts";

/** A card with a title and content. Screen readers announce a changed title. */
export function Screen(props: {
  readonly title: string;
  /** The icon above the title, only for screens with a state. */
  readonly icon?: IconName | undefined;
  readonly tone?: Tone | undefined;
  /** The quiet line below the title. */
  readonly lede?: ComponentChildren;
  /** The link to the parent screen, above the title. */
  readonly up?: ComponentChildren;
  /** A filter or similar beside the title. */
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

/** The link to the parent screen. */
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

/** A notice, with a button when trying again makes sense. */
export function NoticeScreen(props: {
  readonly notice: Notice;
  readonly onRetry?: () => void;
  /** Additional actions. */
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
            {PAGE.failed.again}
          </button>
        </div>
      )}
      {notice.below}
      {children}
    </Screen>
  );
}

/** The line above content that is not up to date. Without `onRetry`, the page tries again by itself. */
export function Interruption({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div class="notice warn" role="status">
      <Icon name="offline" />
      <div class="notice-row">
        <p>{text}</p>
        {onRetry && (
          <button type="button" class="button" onClick={onRetry}>
            {PAGE.failed.again}
          </button>
        )}
      </div>
    </div>
  );
}

/** The screen while a page loads. */
export function LoadingScreen() {
  const isSlow = useSlowServer();
  return (
    <p role="status" class="quiet loading">
      {isSlow ? PAGE.slow : PAGE.loading}
    </p>
  );
}
