import { hasPassword, isDatabaseUrlShaped, shownUrl } from "./database-urls.ts";

/** The scheme of a database's URL, also where the slashes behind it are missing, or that of any other. */
const SCHEME = /postgres(?:ql)?:\/{0,2}|[a-z0-9+.-]{0,20}:\/\//i;

/**
 * The text of a message without the URLs of `args` in which a user or a password may be: of these it keeps the scheme. `isUsage` says that the
 * call itself is wrong, so that the URL of a database may be anything; otherwise one that is sure to have no password stays, by which its database is known.
 */
export function maskUrls(text: string, args: readonly string[], isUsage: boolean): string {
  return args.reduce((masked, arg) => {
    const { 0: scheme = "", index = 0 } = SCHEME.exec(arg) ?? {};
    // To the end of the argument: blanks and quotes may be of a password.
    const url = scheme === "" ? "" : arg.slice(index);
    return url !== "" && isRisky(url, isUsage) ? masked.replaceAll(url, `${scheme}…`) : masked;
  }, text);
}

/** True also of what can't be read and has an @ in it, or may have a password in the place of a host. */
function isRisky(url: string, isUsage: boolean): boolean {
  return hasPassword(url) || (isDatabaseUrlShaped(url) && (isUsage || shownUrl(url) !== url));
}
