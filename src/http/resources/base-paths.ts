/** The path of the base URL, where it has one, without a slash at the end. */
export function basePath(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}
