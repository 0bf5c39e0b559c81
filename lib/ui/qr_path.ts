import { encode } from "uqr";

/** Modules of empty space around a code, as its standard asks for. */
const QUIET_ZONE = 4;

/**
 * Length of a text up to which the most readable of the eight masks is chosen, which takes ten times as long as
 * the rest; readers accept each of them.
 */
const MAX_CHOSEN_MASK = 150;
/** Mask of the codes of longer texts. */
const FIXED_MASK = 2;

/** Pixels along one side of a module in files. */
export const MODULE_PIXELS = 8;

/** A QR code to draw. */
export interface QrPath {
  /** Modules along one side, with the quiet zone. */
  readonly size: number;
  /** The dark modules as the `d` of an SVG path, one unit a module. */
  readonly path: string;
}

/** The QR code of a text. */
export function toQrPath(text: string): QrPath {
  const rows = toQrMatrix(text);
  return { size: rows.length, path: rows.map(toRowPath).join("") };
}

/** A QR code as an SVG file. */
export function toQrSvg({ size, path }: QrPath): string {
  const pixels = size * MODULE_PIXELS;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${pixels}" ` +
    `height="${pixels}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/>` +
    `<path d="${path}" fill="#000"/></svg>\n`;
}

/** The modules of the QR code of a text, row by row with the quiet zone; true for dark ones. */
export function toQrMatrix(text: string): readonly (readonly boolean[])[] {
  const mask = text.length <= MAX_CHOSEN_MASK ? {} : { maskPattern: FIXED_MASK };
  return encode(text, { ecc: "L", border: QUIET_ZONE, ...mask }).data;
}

/** Neighbouring dark modules as one bar. */
function toRowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    const start = x;
    while (row[x] === true) x++;
    if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`;
  }
  return path;
}
