import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { LargeCiphertext } from "../../../src/contract/ciphertexts.ts";
import { parseStrictJson } from "../../../src/http/gate/bodies.ts";
import { startTestServer } from "../../support/server.ts";

const LARGE = "A".repeat(100_000);
const bytesOf = (text: string) => new TextEncoder().encode(text);

const TOKENS =
  `{" " : , { } [ ] 1 null "a" ": \\ \\" \\u0000 é "envelope": "version":1 "ciphertext":" "ciphertext" "__proto__": "\\u0000"`
    .split(" ")
    .concat(" ", "\n", "\0");

/** A replacer for JSON.stringify that turns ciphertexts in bytes into text. */
const spellOut = (_name: string, value: unknown) =>
  value instanceof LargeCiphertext ? Buffer.from(value.bytes).toString("latin1") : value;

/** The result of parsing: a value, or a refusal. */
function outcomeOf(document: string): unknown {
  try {
    return { value: JSON.parse(JSON.stringify(parseStrictJson(bytesOf(document)), spellOut)) };
  } catch {
    return "refused";
  }
}

test("a large ciphertext does not change how the document around it is read", () => {
  const token = fc.constantFrom(...TOKENS);
  const around = fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join(""));
  const document = fc.oneof(
    fc.tuple(around, around).map(([before, after]) => [`${before}"`, `"${after}`] as const),
    fc
      .tuple(fc.jsonValue(), fc.jsonValue())
      .map(([a, b]) => [`{"a":${JSON.stringify(a)},"c":"`, `","b":${JSON.stringify(b)}}`] as const),
  );
  const property = fc.property(document, ([before, after]) => {
    // A small one is parsed like any text.
    const small = JSON.stringify(outcomeOf(`${before}AAAA${after}`));
    expect(JSON.stringify(outcomeOf(before + LARGE + after))).toBe(small.replaceAll("AAAA", LARGE));
  });
  fc.assert(property, { numRuns: 2000 });
});

test("no other text is taken for the ciphertext", () => {
  for (const other of [String.raw`\u0000`, String.raw`\"`, String.raw`a\\`, "", "\u{1F600}"]) {
    const document = `{"before":"${other}","ciphertext":"${LARGE}","after":"${other}"}`;
    expect(outcomeOf(document)).toEqual({ value: JSON.parse(document) });
  }
});

test("the document around the ciphertext has to be UTF-8", () => {
  for (const [before, after] of [
    ['{"\xff":1,"c":"', '"}'],
    ['{"c":"', '","\xc3":1}'],
    ['{"\xc3":"', '","\xa9":1}'],
  ] as const) {
    expect(() => parseStrictJson(Buffer.from(before + LARGE + after, "latin1"))).toThrow("not valid JSON");
  }
});

test("large bodies are checked as strictly as small ones", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const envelope = (ciphertext: string, more = "") => `{"envelope":{"version":1,"ciphertext":"${ciphertext}"${more}}}`;
  for (const [body, status, code] of [
    [envelope(LARGE), 201, undefined],
    [` ${envelope(LARGE)}\n`, 201, undefined],
    [`{"envelope":{"ciphertext" : "${LARGE}" , "version":1}}`, 201, undefined],
    [envelope(`${LARGE}\\u0041`), 201, undefined],
    [envelope(LARGE, ',"ciphertext":"A"'), 400, "malformed_json"],
    [envelope("A", `,"ciphertext":"${LARGE}"`), 400, "malformed_json"],
    [`{"envelope":{"version":1,"ciphertext":"${LARGE}"},"envelope":1}`, 400, "malformed_json"],
    [envelope(`${LARGE}\n`), 400, "malformed_json"],
    [`${envelope(LARGE)}}`, 400, "malformed_json"],
    [`\ufeff${envelope(LARGE)}`, 400, "malformed_json"],
    [envelope(LARGE).slice(0, -3), 400, "malformed_json"],
    [envelope(LARGE, `,"x":${"[".repeat(20)}${"]".repeat(20)}`), 400, "malformed_json"],
    [envelope(LARGE, " ".repeat(5000)), 400, "malformed_json"],
    [envelope(`${LARGE} `), 422, "schema_mismatch"],
    [envelope(`${LARGE}é`), 422, "schema_mismatch"],
    [envelope(LARGE, `,"x":"${LARGE}"`), 422, "schema_mismatch"],
    [envelope("A", `,"${LARGE}":1`), 422, "schema_mismatch"],
    [envelope("\\u0000", `,"x":"${LARGE}"`), 422, "schema_mismatch"],
    [envelope("A", `,"password":"${LARGE}"`), 422, "plaintext_rejected"],
    [JSON.stringify(LARGE), 422, "schema_mismatch"],
  ] as const) {
    const answer = await server.call("POST", "/api/v1/secrets", {
      token,
      body,
    });
    const what = body.replaceAll(LARGE, "LARGE").slice(0, 200);
    expect({ what, status: answer.status, code: answer.json.code }).toEqual({ what, status, code });
  }
});

test("refusing a large body that does not match its schema does not write it as JSON", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  let written = 0;
  Object.defineProperty(LargeCiphertext.prototype, "toJSON", { value: () => (written += 1), configurable: true });
  try {
    const body = `{"envelope":{"version":2,"ciphertext":"${LARGE}"}}`;
    const answer = await server.call("POST", "/api/v1/secrets", { token, body });
    expect({ code: answer.json.code, written }).toEqual({ code: "schema_mismatch", written: 0 });
  } finally {
    Reflect.deleteProperty(LargeCiphertext.prototype, "toJSON");
  }
});
