import { unexpected } from "./answers.ts";

/** A part of a stream of server-sent events: an event, with its data as text; an id alone; or a comment, with neither. */
export interface StreamPart {
  /** The id after which a reader goes on once it has this part. */
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** More than any part of ours has: whoever answers may not be a handoff server, or mean harm. */
const MAX_PART_LENGTH = 64 * 1024;

/** A reader of server-sent events, as far as a server of ours writes them (WHATWG HTML, section 9.2). */
export interface PartReader {
  /** The parts that are whole with this piece of the text. Throws ClientError when one is too long to be a part. */
  read(text: string): StreamPart[];
}

export function createPartReader(): PartReader {
  let rest = "";
  let lines: string[] = [];

  /** The part that an empty line ends; undefined when there was nothing before it. */
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
