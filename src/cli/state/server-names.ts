/** The file name for an id on a server. Another server could use the same id on purpose. */
export function nameOnServer(baseUrl: string, id: string): string {
  const server = new Bun.CryptoHasher("sha256").update(baseUrl).digest("hex").slice(0, 16);
  return `${id}-${server}`;
}
