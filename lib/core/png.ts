import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { concatBytes } from "./bytes.ts";

/** A square picture with at most 256 colors. */
interface IndexedPicture {
  /** Width and height in pixels. */
  readonly size: number;
  /** Colors as red, green and blue. */
  readonly palette: readonly (readonly [red: number, green: number, blue: number])[];
  /** Index of the color of each pixel, row by row. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Eight bits a pixel, indexed colors, and the only method of compression, filtering and interlacing. */
const FORMAT = [8, 3, 0, 0, 0];
const compress = promisify(deflate);

/** Encodes a picture as PNG; compression does not block the event loop. */
export async function encodePng({ size, palette, pixels }: IndexedPicture): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, size);
  view.setUint32(4, size);
  header.set(FORMAT, 8);
  // Each row begins with the number of its filter: 0 for none.
  const rows = new Uint8Array(size * (size + 1));
  for (let row = 0; row < size; row++) {
    rows.set(pixels.subarray(row * size, (row + 1) * size), row * (size + 1) + 1);
  }
  return concatBytes([
    SIGNATURE,
    ...encodeChunk("IHDR", header),
    ...encodeChunk("PLTE", Uint8Array.from(palette.flat())),
    ...encodeChunk("IDAT", await compress(rows)),
    ...encodeChunk("IEND", new Uint8Array()),
  ]);
}

/** Encodes a square grid as a PNG of black squares, for true, and white ones, each with sides of `scale` pixels. */
export async function encodeGrid(
  rows: readonly (readonly boolean[])[],
  scale: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = rows.length * scale;
  const pixels = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) {
    const row = rows[Math.floor(y / scale)];
    for (let x = 0; x < size; x++) pixels[y * size + x] = row?.[Math.floor(x / scale)] === true ? 1 : 0;
  }
  return await encodePng({ size, palette: [[255, 255, 255], [0, 0, 0]], pixels });
}

/** Returns the parts of a chunk: length, type with content, and checksum of these. */
function encodeChunk(type: string, content: Uint8Array): readonly Uint8Array[] {
  const body = concatBytes([new TextEncoder().encode(type), content]);
  return [encodeNumber(content.length), body, encodeNumber(crc32(body))];
}

function encodeNumber(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
