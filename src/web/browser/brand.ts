/** The product's own name. */
export const PRODUCT = "handoff";

/** The brand set for this server, shown in place of the product's own name and mark. */
export interface Brand {
  /** The product's name when no other is set. */
  readonly name: string;
  /** Addresses of the logos, for an `<img>`; undefined to show the product's mark. */
  readonly logo: BrandLogo | undefined;
  /** The contact for help; undefined when none is set. */
  readonly contact: BrandContact | undefined;
  /** The address of the imprint. */
  readonly imprint: string | undefined;
  /** The address of the privacy notice. */
  readonly privacy: string | undefined;
}

interface BrandLogo {
  readonly light: string;
  /** The logo for dark themes; undefined to use the same one. */
  readonly dark: string | undefined;
}

interface BrandContact {
  /** An address that begins with `http:`, `https:`, `mailto:` or `tel:`. */
  readonly href: string;
  /** The contact as people write it: `it@acme.example`. */
  readonly text: string;
}

/** The part of a document that is read here. */
type BrandSource = Pick<Document, "baseURI"> & {
  querySelector(selector: string): Pick<Element, "getAttribute"> | null;
};

/**
 * Reads the brand that the server wrote into the document. Call it once, before the address changes: the brand's
 * addresses are relative to it.
 */
export function readBrand(from: BrandSource = document): Brand {
  const read = (name: string) => from.querySelector(`meta[name="${name}"]`)?.getAttribute("content") || undefined;
  const locate = (name: string) => {
    const address = read(name);
    return address === undefined ? undefined : new URL(address, from.baseURI).href;
  };
  const light = locate("handoff-logo");
  const contact = read("handoff-contact");
  return {
    name: read("application-name") ?? PRODUCT,
    logo: light === undefined ? undefined : { light, dark: locate("handoff-logo-dark") },
    contact: contact === undefined ? undefined : { href: contact, text: readable(contact) },
    imprint: read("handoff-imprint"),
    privacy: read("handoff-privacy"),
  };
}

/** Returns `href` as people write it. */
function readable(href: string): string {
  const [, address = href] = /^(?:mailto:|tel:|https?:\/\/)([^?]*[^?/])/.exec(href) ?? [];
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** An empty document, for tests and for bundling. */
const NOTHING: BrandSource = { baseURI: "", querySelector: () => null };

/** The brand of this page's server. */
export const BRAND: Brand = readBrand(typeof globalThis.document?.querySelector === "function" ? document : NOTHING);
