/** Some browsers start to read a download only after a while. */
const KEPT_MS = 60_000;

/** Saves bytes under the last part of their name. The type keeps browsers from showing them as a page. */
export function download(name: string, bytes: Uint8Array | Blob): void {
  const type = "application/octet-stream";
  const content =
    bytes instanceof Blob ? bytes.slice(0, bytes.size, type) : new Blob([new Uint8Array(bytes)], { type });
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name.split("/").at(-1) ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
