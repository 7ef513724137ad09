import { describeLicenses } from "./components.ts" with { type: "macro" };

/** The licenses of all components of the executable, collected when it is built. */
export const LICENSES: string = describeLicenses();
