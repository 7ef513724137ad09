/**
 * The query that a provider sent the browser back with; undefined when it didn't. Takes it out of the address, so that
 * it is in no history.
 */
export function takeProviderAnswer(): string | undefined {
  const { search, pathname, hash } = location;
  const query = new URLSearchParams(search);
  if (!query.has("code") && !query.has("error")) return undefined;
  history.replaceState(null, "", pathname + hash);
  return search.slice(1);
}
