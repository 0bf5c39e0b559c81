import { encodePng } from "@/lib/core/png.ts";
import { toQrMatrix, toQrPath } from "@/lib/ui/qr_path.ts";

/** File formats of a QR code. */
export const QR_FORMATS = ["svg", "png"] as const;
/** File format of a QR code. */
export type QrFormat = typeof QR_FORMATS[number];

/** A file with a QR code. */
export interface QrFile {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly name: string;
}

/** Pixels along one side of a module. */
const MODULE_PIXELS = 8;
const WHITE = 0;
const BLACK = 1;

/** Returns a file with the QR code of a short link. */
export async function toQrFile(link: string, format: QrFormat): Promise<QrFile> {
  const name = `short-link.${format}`;
  return format === "svg"
    ? { body: toSvg(link), type: "image/svg+xml", name }
    : { body: await toPng(link), type: "image/png", name };
}

function toSvg(link: string): string {
  const { size, path } = toQrPath(link);
  const pixels = size * MODULE_PIXELS;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${pixels}" ` +
    `height="${pixels}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/>` +
    `<path d="${path}" fill="#000"/></svg>\n`;
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
