/** The answer to a call of tus. `json` and its `code` are there for an answer in JSON. */
interface TusAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at single members
  readonly json: any;
  readonly code: string | undefined;
}

/** Makes a call with a credential, as a client of tus does. */
export async function callTus(
  url: string,
  method: string,
  credential: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Uint8Array<ArrayBuffer>,
): Promise<TusAnswer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${credential}`, "tus-resumable": "1.0.0", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = await response.bytes();
  const isJson = bytes.length > 0 && /json/.test(response.headers.get("content-type") ?? "");
  const json = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  return { status: response.status, headers: response.headers, bytes, json, code: json?.code };
}
