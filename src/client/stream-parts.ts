import { unexpected } from "./answers.ts";

/** A part of a stream of server-sent events: an event with its data, an id alone, or a comment without either. */
export interface StreamPart {
  /** The id from which a reader resumes after this part. */
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** A limit above any part that a handoff server sends: the server may be hostile, or something else. */
const MAX_PART_LENGTH = 64 * 1024;

/** Reads server-sent events as handoff servers write them (WHATWG HTML, section 9.2). */
export interface PartReader {
  /** Takes a piece of text and returns the parts that it completes. Throws ClientError for a part that is too long. */
  read(text: string): StreamPart[];
}

export function createPartReader(): PartReader {
  let rest = "";
  let lines: string[] = [];

  /** The part before an empty line; undefined when there are no lines. */
  const finish = (): StreamPart | undefined => {
    const part = lines.length === 0 ? undefined : toPart(lines);
    lines = [];
    return part;
  };

  return {
    read(text) {
      const pieces = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = pieces.pop() ?? "";
      const length = rest.length + lines.reduce((sum, line) => sum + line.length, 0);
      if (length > MAX_PART_LENGTH) throw unexpected();
      return pieces.flatMap((line) => {
        if (line !== "") return (lines.push(line), []);
        return finish() ?? [];
      });
    },
  };
}

function toPart(lines: readonly string[]): StreamPart {
  const fields = lines.map((line) => {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    return { name, value };
  });
  const valuesOf = (wanted: string) => fields.filter(({ name }) => name === wanted).map(({ value }) => value);
  const data = valuesOf("data");
  return { id: valuesOf("id").at(-1), data: data.length === 0 ? undefined : data.join("\n") };
}
