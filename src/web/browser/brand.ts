/** The product's own name. */
export const PRODUCT = "handoff";

/** The brand of this server, as its settings have it: what the page shows in place of the product's own name and mark. */
export interface Brand {
  /** The product's own name where no other is set. */
  readonly name: string;
  /** Addresses of the pictures that take the place of the mark, for an `<img>`; undefined: the mark. */
  readonly logo: BrandLogo | undefined;
  /** Whom to ask; undefined: nobody is named. */
  readonly contact: BrandContact | undefined;
  /** The address of the imprint. */
  readonly imprint: string | undefined;
  /** The address of the privacy notice. */
  readonly privacy: string | undefined;
}

interface BrandLogo {
  readonly light: string;
  /** The one for dark themes; undefined: the same. */
  readonly dark: string | undefined;
}

interface BrandContact {
  /** An address that begins with `http:`, `https:`, `mailto:` or `tel:`. */
  readonly href: string;
  /** The same as people write it: `it@acme.example`. */
  readonly text: string;
}

/** The part of a document that is read here. */
type BrandSource = Pick<Document, "baseURI"> & {
  querySelector(selector: string): Pick<Element, "getAttribute"> | null;
};

/** The brand in the document. Read it once, before the address of the page changes: its paths are relative. */
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

/** `href` as people write it down. */
function readable(href: string): string {
  const [, address = href] = /^(?:mailto:|tel:|https?:\/\/)([^?]*[^?/])/.exec(href) ?? [];
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** A document that says nothing: that of tests, and of whoever bundles the page. */
const NOTHING: BrandSource = { baseURI: "", querySelector: () => null };

/** The brand of the server that this page is of. */
export const BRAND: Brand = readBrand(typeof globalThis.document?.querySelector === "function" ? document : NOTHING);
