import { expect, test } from "bun:test";
import { encodeContent } from "../../../src/crypto/contents.ts";
import { zipFiles } from "../../../src/web/contents/archives.ts";
import type { FileKind } from "../../../src/web/contents/file-kinds.ts";
import { kindOfFile, previewOf } from "../../../src/web/contents/file-kinds.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const PNG = latin("\x89PNG\r\n\x1A\n\0\0\0\rIHDR");
const file = { name: "a", bytes: utf8("x"), isExecutable: false, isFolder: false };

test("a file's bytes decide its kind, and its name only when they are inconclusive", async () => {
  const cases: readonly (readonly [name: string, bytes: Uint8Array, kind: FileKind])[] = [
    ["a.png", PNG, "image"],
    ["a.txt", PNG, "image"],
    ["a.jpg", latin("\xFF\xD8\xFF\xE0"), "image"],
    ["a.gif", latin("GIF89a"), "image"],
    ["a.webp", latin("RIFF\0\0\0\0WEBPVP8 "), "image"],
    ["a.wav", latin("RIFF\0\0\0\0WAVEfmt "), "other"],
    ["a.png", latin("\0\x01not an image"), "other"],
    ["a.svg", utf8('<svg xmlns="http://www.w3.org/2000/svg"/>'), "text"],
    ["a.png", utf8("<svg/>"), "text"],
    ["a.html", utf8("<!doctype html><script>1</script>"), "text"],
    ["a.pdf", utf8("%PDF-1.7\n"), "pdf"],
    ["a.pdf", latin("\0\x01"), "other"],
    ["notes", utf8("pä55wörd ✓\n"), "text"],
    ["cut", utf8(`${"x".repeat(4095)}é and more`), "text"],
    ["a.txt", latin("caf\xE9"), "other"],
    ["a.txt", utf8("a\0b"), "other"],
    ["empty", new Uint8Array(), "text"],
    ["x", utf8("-----BEGIN CERTIFICATE-----\n"), "key"],
    ["x", utf8("AGE-SECRET-KEY-1X"), "key"],
    [".ssh/id_ed25519", utf8("not one"), "key"],
    ["id_ed25519.pub", utf8("ssh-ed25519 AAAA"), "key"],
    ["a.p12", latin("\x30\x82"), "key"],
    ["keys.kdbx", latin("\x03\xD9\xA2\x9A"), "key"],
    ["slides.key", latin("PK\x03\x04"), "other"],
    ["a.docx", latin("PK\x03\x04"), "other"],
    ["a.zip", new Uint8Array(await (await zipFiles([file])).arrayBuffer()), "archive"],
    ["x", await encodeContent({ kind: "files", files: [file] }), "archive"],
    ["a.tar.gz", latin("\x1F\x8B\x08"), "archive"],
    ["a.7z", latin("7z\xBC\xAF\x27\x1C"), "archive"],
    ["program", latin("\x7FELF\x02\x01"), "other"],
  ];
  for (const [name, bytes, kind] of cases) expect({ name, kind: kindOfFile(name, bytes) }).toEqual({ name, kind });
});

test("a preview is a raster image, plain text or nothing, whatever else the file contains", () => {
  const script = "<script>alert(1)</script>";
  const cases: readonly (readonly [kind: string, bytes: Uint8Array, look: string])[] = [
    ["PNG", PNG, "image/png"],
    ["JPEG", latin(`\xFF\xD8\xFF\xE0${script}`), "image/jpeg"],
    ["GIF and script", latin(`GIF89a/*\0*/=1;${script}`), "image/gif"],
    ["WebP", latin("RIFF\0\0\0\0WEBPVP8 "), "image/webp"],
    ["PDF", utf8("%PDF-1.7"), "none"],
    ["PDF with bytes", latin("%PDF-1.4\n%\xE2\xE3\xCF\xD3"), "none"],
    ["PDF behind something", utf8("\n%PDF-1.7"), "text"],
    ["PDF behind bytes", latin("\0\xFF%PDF-1.7"), "none"],
    ["SVG", utf8(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`), "text"],
    ["SVG with a mark of its encoding", latin("\xFF\xFE<\0s\0v\0g\0"), "none"],
    ["compressed SVG", latin("\x1F\x8B\x08"), "none"],
    ["HTML", utf8(`<!doctype html>${script}`), "text"],
    ["XML", utf8('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><a/>'), "text"],
    ["MHTML", utf8(`MIME-Version: 1.0\nContent-Type: text/html\n\n${script}`), "text"],
    ["script", utf8("alert(1)"), "text"],
    ["AVIF", latin("\0\0\0\x1Cftypavif"), "none"],
    ["BMP", latin("BM\0\0\0\0"), "none"],
    ["ICO", latin("\0\0\x01\0"), "none"],
    ["MP4", latin("\0\0\0\x18ftypmp42"), "none"],
    ["WebM", latin("\x1A\x45\xDF\xA3"), "none"],
    ["Ogg", latin("OggS\0\x02"), "none"],
    ["MP3", latin("ID3\x04\0"), "none"],
    ["WAV", latin("RIFF\0\0\0\0WAVEfmt "), "none"],
    ["Flash", latin("FWS\x06\0"), "none"],
    ["WebAssembly", latin("\0asm\x01\0\0\0"), "none"],
    ["ZIP", latin("PK\x03\x04\0"), "none"],
  ];
  const looks = cases.map(([kind, bytes]) => {
    const preview = previewOf(bytes);
    return [kind, preview?.kind === "image" ? preview.type : (preview?.kind ?? "none")];
  });
  expect(looks).toEqual(cases.map(([kind, , look]) => [kind, look]));
});

test("text is previewed as it is, markup too, but not when it is too large", () => {
  for (const text of ["<svg onload='alert(1)'/>", "<!doctype html>", "pä55wörd ✓\n", "\u001b[31mred"]) {
    expect(previewOf(utf8(text))).toEqual({ kind: "text", text });
  }
  const big = new Uint8Array(25_000_001);
  big.set(PNG);
  const control = new Uint8Array(5000).fill(0x20);
  control[4999] = 0;
  for (const none of [new Uint8Array(), latin("\0"), latin("caf\xE9"), utf8("x".repeat(200_001)), big, control]) {
    expect(previewOf(none)).toBeUndefined();
  }
});
