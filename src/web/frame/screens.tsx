import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { PAGE } from "../texts/page.ts";
import { useSlowServer } from "./answering.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import type { EnvelopeShape, Notice, Tone } from "./notices.ts";

/** A card with a title and content. Screen readers announce a changed title. */
export function Screen(props: {
  readonly title: string;
  /** The icon above the title, only for screens with a state. A closed envelope shows it as its seal. */
  readonly icon?: IconName | undefined;
  readonly tone?: Tone | undefined;
  readonly envelope?: EnvelopeShape | undefined;
  /** The initials on the seal of a closed envelope, in place of the icon. */
  readonly initials?: string | undefined;
  /** Narrow for a single decision, wide for a list. */
  readonly width?: "narrow" | "wide" | undefined;
  /** True when the text is in the middle of the card. */
  readonly isCentered?: boolean | undefined;
  /** The quiet line below the title. */
  readonly lede?: ComponentChildren;
  /** The link to the parent screen, above the title. */
  readonly up?: ComponentChildren;
  /** True while another part of the page has the main heading. */
  readonly isSecondary?: boolean | undefined;
  readonly children?: ComponentChildren;
}) {
  const {
    title,
    icon,
    tone,
    envelope,
    initials,
    width,
    isCentered = width === "narrow",
    lede,
    up,
    isSecondary,
    children,
  } = props;
  const Heading = isSecondary === true ? "h2" : "h1";
  const heading = useHeading(title, width);
  const head = (
    <div class={envelope === "closed" ? "head centered" : "head"}>
      {icon && !envelope && (
        <div class={tone ? `seal ${tone}` : "seal"}>
          <Icon name={icon} />
        </div>
      )}
      <Heading ref={heading} tabIndex={-1} class={isSecondary === true ? "as-title" : undefined}>
        {title}
      </Heading>
      {lede && <p class="lede">{lede}</p>}
    </div>
  );
  const shape = `card stack${envelope === "closed" ? " envelope" : ""}${isCentered ? " centered" : ""}`;
  const card = (
    <section class={shape}>
      {envelope === "closed" && <Seal initials={initials} icon={icon} />}
      {up}
      {head}
      {children}
    </section>
  );
  if (envelope !== "open" && envelope !== "over") return card;
  return (
    <div class={envelope === "over" ? "unfolded is-over" : "unfolded"}>
      <div class="liner" aria-hidden="true" />
      {card}
    </div>
  );
}

/** Names the tab after a screen, and moves the focus to its heading. Sets the width of the page. */
export function useHeading(title: string, width?: "narrow" | "wide"): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${BRAND.name}`;
    heading.current?.focus();
  }, [title]);
  useLayoutEffect(() => {
    for (const each of ["narrow", "wide"]) document.body.classList.toggle(each, each === width);
  }, [width]);
  return heading;
}

/** The flap of a closed envelope, with its seal. */
function Seal({ initials, icon }: { readonly initials: string | undefined; readonly icon: IconName | undefined }) {
  return (
    <>
      <svg class="flap" viewBox="0 0 448 108" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 0H448V10L240 102Q224 109 208 102L0 10Z" />
      </svg>
      <div class="wax" aria-hidden="true">
        {initials ?? (icon && <Icon name={icon} />)}
      </div>
    </>
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
      envelope={notice.envelope}
      isCentered={notice.envelope !== undefined}
    >
      {isOpen && onRetry && (
        <div class="buttons">
          <button type="button" class="button primary" onClick={onRetry}>
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

/** The screen while a page loads. */
export function LoadingScreen() {
  const isSlow = useSlowServer();
  return (
    <p role="status" class="quiet loading">
      {isSlow ? PAGE.slow : PAGE.loading}
    </p>
  );
}
