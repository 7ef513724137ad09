/** The language of texts that is always there. */
const ENGLISH = "en";

/**
 * The one of `offered` that a browser asks for first in an `Accept-Language` (RFC 9110, section 12.5.4), in whatever
 * region; else English. The tags offered are in lower case.
 */
export function chooseLanguage(offered: readonly string[], header: string): string {
  const wanted = header
    .split(",")
    .map(weightOf)
    .filter(([, weight]) => weight > 0);
  for (const [tag] of wanted.toSorted(([, one], [, other]) => other - one)) {
    const found = offered.includes(tag) ? tag : offered.find((each) => primaryOf(each) === primaryOf(tag));
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

/** The tag of a language and its weight, which is 1 unless the `item` of the header says otherwise. */
function weightOf(item: string): readonly [tag: string, weight: number] {
  const [tag = "", weight] = item.toLowerCase().split(";");
  return [tag.trim(), Number(/q=([01](?:\.\d{0,3})?)/.exec(weight ?? "")?.[1] ?? 1)];
}

const primaryOf = (tag: string) => tag.split("-")[0];
