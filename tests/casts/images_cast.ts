import { encodePng } from "@/lib/core/png.ts";

/** Returns a square PNG of `size` pixels whose left half is red and whose right half is blue. */
export function drawHalves(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = new Uint8Array(size * size).map((_, at) => at % size < size / 2 ? 0 : 1);
  return encodePng({ size, palette: [[255, 0, 0], [0, 0, 255]], pixels });
}
