import type { Fetch } from "../../client/http-client.ts";

/** Told how many bytes of a body have been sent, and how many it has. */
export type UploadProgress = (sent: number, total: number) => void;

/** A fetch of text that reports upload progress, by XMLHttpRequest. Rejects with a TypeError or an AbortError. */
export function createUploadFetch(onProgress: UploadProgress): Fetch {
  return (url, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new TypeError("the connection failed"));
      if (signal?.aborted || (body && typeof body !== "string")) return fail();
      const xhr = new XMLHttpRequest();
      xhr.open(method, url);
      for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total));
      xhr.addEventListener("load", () => (xhr.responseURL === url ? resolve(toResponse(xhr)) : fail()));
      xhr.addEventListener("error", fail);
      xhr.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      signal?.addEventListener("abort", () => xhr.abort());
      return xhr.send(typeof body === "string" ? body : null);
    });
}

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().split("\r\n")) {
    const [name = "", value = ""] = line.split(/: (.*)/);
    if (name !== "") headers.append(name, value);
  }
  // A status that has no body must not be given one, not even an empty one.
  return new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers });
}
