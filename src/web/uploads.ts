/** Told how much of a body has been sent, in percent. */
export type UploadProgress = (percent: number) => void;

/**
 * A fetch by XMLHttpRequest, which alone lets a page know how much of a body has been sent. For what our client asks of a
 * fetch: text there and back. Rejects with a TypeError, or an AbortError, as fetch does.
 */
export function createUploadFetch(onProgress: UploadProgress): typeof fetch {
  return (input, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest();
      xhr.open(method, input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.addEventListener("progress", ({ loaded, total }) => onProgress(Math.floor((100 * loaded) / total)));
      xhr.addEventListener("load", () => resolve(toResponse(xhr)));
      xhr.addEventListener("error", () => reject(new TypeError("the connection failed")));
      xhr.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      signal?.addEventListener("abort", () => xhr.abort());
      xhr.send(typeof body === "string" ? body : null);
    });
}

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split("\r\n")) {
    const [name = "", value = ""] = line.split(/: (.*)/);
    headers.append(name, value);
  }
  // A status that has no body must not be given one, not even an empty one.
  return new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers });
}
