import { DatabaseUrl, isDatabaseUrlShaped } from "./database-urls.ts";

/** The scheme of a database's URL, even without the slashes after it, or of any other URL. */
const SCHEME = /postgres(?:ql)?:\/{0,2}|[a-z0-9+.-]{0,20}:\/\//i;

/**
 * Removes the URLs of `args` that may have a user or a password from a message, except for their scheme. `isUsage` says
 * that the call itself is wrong, so that the URL of a database may be anything. Otherwise one without a password stays.
 */
export function maskUrls(message: string, args: readonly string[], isUsage: boolean): string {
  return args.reduce((masked, arg) => {
    const { 0: scheme = "", index = 0 } = SCHEME.exec(arg) ?? {};
    if (scheme === "") return masked;
    // To the end of the argument: blanks and quotes may belong to a password.
    const text = arg.slice(index);
    const url = new DatabaseUrl(text);
    const isRisky = url.hasPassword || (isDatabaseUrlShaped(text) && (isUsage || String(url) !== text));
    return isRisky ? masked.replaceAll(text, `${scheme}…`) : masked;
  }, message);
}
