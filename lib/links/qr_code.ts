import { encodePng } from "@/lib/core/png.ts";
import { MODULE_PIXELS, toQrMatrix, toQrPath, toQrSvg } from "@/lib/ui/qr_path.ts";

export const QR_FORMATS = ["svg", "png"] as const;
export type QrFormat = typeof QR_FORMATS[number];

const WHITE = 0;
const BLACK = 1;

export async function toQrFile(link: string, format: QrFormat) {
  const name = `short-link.${format}`;
  return format === "svg"
    ? { body: toQrSvg(toQrPath(link)), type: "image/svg+xml", name }
    : { body: await toPng(link), type: "image/png", name };
}

async function toPng(link: string): Promise<Uint8Array<ArrayBuffer>> {
  const rows = toQrMatrix(link);
  const size = rows.length * MODULE_PIXELS;
  const pixels = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) {
    const row = rows[Math.floor(y / MODULE_PIXELS)];
    for (let x = 0; x < size; x++) {
      pixels[y * size + x] = row?.[Math.floor(x / MODULE_PIXELS)] === true ? BLACK : WHITE;
    }
  }
  return await encodePng({ size, palette: [[255, 255, 255], [0, 0, 0]], pixels });
}
