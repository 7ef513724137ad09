import { deflateSync } from "node:zlib";

/** A picture in PNG, `size` pixels wide and high, in one colour. */
export function samplePng(size: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(size * 3, 0x6a)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)));
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", pixels), pngChunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1A\n", "latin1"), ...chunks]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Bun.hash.crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PDF of one page with a line of text. */
export function samplePdf(line: string): Uint8Array {
  const stream = `BT /F1 18 Tf 40 100 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const end = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + end, "latin1");
}
