/*
 * A logo is only ever shown in an <img>, where a browser runs and loads nothing of an SVG. What is refused here is what
 * could do something if that ever failed, or if somebody opened the logo by itself.
 */

/** Elements that do something, have something foreign in them, or lead elsewhere; by their names without a prefix. */
const ACTIVE = new Set(
  [
    ["script", "handler", "listener", "foreignobject", "iframe", "embed", "object", "audio", "video", "canvas"],
    ["a", "image", "feimage", "animate", "animatemotion", "animatetransform", "animatecolor", "set", "discard"],
    ["html", "body", "link", "meta", "base", "form", "input"],
  ].flat(),
);
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

const PROLOGUE = /^\uFEFF?\s*(?:<\?xml\s[^<>?]*\?>\s*)?/;
const COMMENT = /<!--(?:(?!--)[^])*-->/g;
/** A document type, whose declarations stand in brackets. */
const DOCTYPE = /^<!DOCTYPE(?:[^[\]<>"']|"[^"]*"|'[^']*')*(?:\[[^\]]*\]\s*)?>\s*/;
const TAG =
  /<(\/?)([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/** A sentence about what keeps `bytes` from being an SVG of shapes alone; undefined when nothing does. */
export function findSvgFault(bytes: Buffer): string | undefined {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "is not UTF-8";
  }
  const source = text.replace(PROLOGUE, "").replace(COMMENT, "").trim();
  if (!/^<(?:[\w.-]+:)?svg[\s>/]/.test(source.replace(DOCTYPE, ""))) return "is neither an SVG nor a PNG";
  if (source.includes("<!") || source.includes("<?"))
    return "has a declaration such as <!DOCTYPE> or <![CDATA[, which has to be taken out";
  return new SvgReader(source).findFault();
}

/** Reads an SVG from one end to the other, strictly: what it does not understand is a fault. */
class SvgReader {
  readonly #source: string;
  readonly #open: string[] = [];
  readonly #prefixes = new Set(["xml", "xmlns"]);
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  findFault(): string | undefined {
    while (this.#at < this.#source.length) {
      const fault = this.#readText() ?? this.#readTag();
      if (fault !== undefined) return fault;
      if (this.#open.length === 0) break;
    }
    return this.#open.length > 0 || this.#at < this.#source.length ? "is not well-formed" : undefined;
  }

  /** Reads what stands before the next tag. */
  #readText(): string | undefined {
    const end = this.#source.indexOf("<", this.#at);
    const text = this.#source.slice(this.#at, end < 0 ? undefined : end);
    this.#at += text.length;
    const plain = decodeEntities(text);
    if (plain === undefined) return "is not well-formed";
    return this.#open.at(-1)?.toLowerCase().endsWith("style") ? findStyleFault(plain) : undefined;
  }

  #readTag(): string | undefined {
    TAG.lastIndex = this.#at;
    const [whole, slash, name = "", attributes = "", selfClosing] = TAG.exec(this.#source) ?? [];
    if (whole === undefined) return "is not well-formed";
    this.#at += whole.length;
    if (slash) return attributes === "" && !selfClosing && this.#open.pop() === name ? undefined : "is not well-formed";
    const fault = this.#findElementFault(name, attributes);
    if (!selfClosing) this.#open.push(name);
    return fault;
  }

  #findElementFault(name: string, attributes: string): string | undefined {
    if (ACTIVE.has(localName(name))) return `has <${name}>, and a logo is shapes alone`;
    const found = [...attributes.matchAll(ATTRIBUTE)].map(
      ([, key = "", double, single]) => [key, decodeEntities(double ?? single ?? "")] as const,
    );
    const keys = found.map(([key]) => key);
    for (const key of keys) if (key.startsWith("xmlns:")) this.#prefixes.add(key.slice("xmlns:".length));
    const isRoot = this.#open.length === 0;
    if (isRoot && !found.some(([key, value]) => key.startsWith("xmlns") && value === SVG_NAMESPACE)) {
      return `does not say that it is one: xmlns="${SVG_NAMESPACE}" is missing`;
    }
    const isDeclared = (each: string) => !each.includes(":") || this.#prefixes.has(each.split(":", 1)[0] ?? "");
    if (new Set(keys).size < keys.length || ![name, ...keys].every(isDeclared)) return "is not well-formed";
    return found
      .map(([key, value]) => (value === undefined ? "is not well-formed" : findAttributeFault(key, value)))
      .find((fault) => fault !== undefined);
  }
}

function findAttributeFault(key: string, value: string): string | undefined {
  const name = localName(key);
  if (name.startsWith("on")) return `has the event handler '${key}'`;
  if (key === "xml:base") return "has another base";
  if (["href", "src"].includes(name) && !value.trim().startsWith("#")) return "refers to something outside of it";
  // Names of namespaces are addresses that nobody visits.
  return key === "xmlns" || key.startsWith("xmlns:") ? undefined : findStyleFault(value);
}

/** The fault of a style sheet, or of the value of an attribute, most of which may have the same in them. */
function findStyleFault(style: string): string | undefined {
  const plain = style.replaceAll(/\/\*[^]*?\*\//g, "");
  // A backslash spells in CSS what should not be read here.
  if (plain.includes("\\")) return "has an escaped sign in a style";
  if (/@import|@font-face|@namespace/i.test(plain)) return "refers to something outside of it";
  if (/(?:javascript|vbscript|data)\s*:/i.test(plain)) return "refers to something outside of it";
  const references = [...plain.matchAll(/(?:url|src|image|image-set)\(\s*(["']?)([^)]*)/gi)];
  return references.some(([, , target = ""]) => !target.startsWith("#"))
    ? "refers to something outside of it"
    : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** `text` with its references to characters put in; undefined when there is one that XML does not know. */
function decodeEntities(text: string): string | undefined {
  let isKnown = true;
  const decoded = text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));?|&/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
    const character =
      code === undefined
        ? ENTITIES[String(name)]
        : code > 0 && code <= 0x10ffff
          ? String.fromCodePoint(code)
          : undefined;
    if (character === undefined || !whole.endsWith(";")) isKnown = false;
    return character ?? "";
  });
  return isKnown ? decoded : undefined;
}
