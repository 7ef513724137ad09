// Apart from the schema, which would bring its library into the page.

/** The one envelope version there is, contract section 2. */
export const ENVELOPE_VERSION = 1;
