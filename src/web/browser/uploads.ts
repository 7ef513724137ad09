import type { Fetch } from "../../client/http-client.ts";

/** Called with the bytes sent so far, and the size of the body. */
export type UploadProgress = (sent: number, total: number) => void;

/**
 * A fetch by XMLHttpRequest, the only API that reports upload progress. It supports only what the client needs: text
 * or bytes up, text down, and no redirects. Rejects with a TypeError, or an AbortError.
 */
export function createUploadFetch(onProgress: UploadProgress): Fetch {
  return (url, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new TypeError("the connection failed"));
      const sent = typeof body === "string" || body instanceof Uint8Array ? body : undefined;
      if (signal?.aborted || (body && sent === undefined)) return fail();
      const xhr = new XMLHttpRequest();
      xhr.open(method, url);
      for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total));
      xhr.addEventListener("load", () => (xhr.responseURL === url ? resolve(toResponse(xhr)) : fail()));
      xhr.addEventListener("error", fail);
      xhr.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      signal?.addEventListener("abort", () => xhr.abort());
      return xhr.send(sent as XMLHttpRequestBodyInit | undefined);
    });
}

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().split("\r\n")) {
    const [name = "", value = ""] = line.split(/: (.*)/);
    if (name !== "") headers.append(name, value);
  }
  // The Response constructor throws when such a status has a body, even an empty one.
  return new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers });
}
