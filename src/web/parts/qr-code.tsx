import { encodeQR } from "qr";

/** A QR code, black on white in every theme, because cameras fail on other colors. */
export function QrCode({ text, label, id }: { readonly text: string; readonly label: string; readonly id?: string }) {
  const rows = encodeQR(text, "raw");
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg id={id} viewBox={`-1 -1 ${rows.length + 2} ${rows.length + 2}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
