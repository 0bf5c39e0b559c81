import { PhotonImage, resize, SamplingFilter } from "@cf-wasm/photon/node";
import type { ImageJob, ImageResult } from "./image_job.ts";

/** Worker that crops images to squares; one job at a time. An unreadable image is a failed job. */
self.addEventListener("message", ({ data }: MessageEvent<ImageJob>) => {
  self.postMessage(run(data));
});

function run({ content, header, sizes }: ImageJob): ImageResult {
  try {
    const { width, height, orientation } = header;
    const image = PhotonImage.new_from_byteslice(content);
    // An image of other dimensions than its header says could be larger than allowed.
    if (image.get_width() !== width || image.get_height() !== height) return null;
    const largest = toSquare(image, Math.max(...sizes), orientation);
    image.free();
    const pictures = sizes.map((size) => encodeScaled(largest, size));
    largest.free();
    return pictures;
  } catch {
    // The decoder ends with an error of WebAssembly; its memory is not used again.
    return null;
  }
}

/** Encodes a square picture as PNG of another size; scaling the large original again would take much longer. */
function encodeScaled(square: PhotonImage, size: number): Uint8Array {
  const scaled = resize(square, size, size, SamplingFilter.Triangle);
  const png = scaled.get_bytes();
  scaled.free();
  return png;
}

/** Scales an image to cover a square, cuts off what is outside and turns it upright. */
function toSquare(image: PhotonImage, size: number, orientation: number): PhotonImage {
  const [width, height] = [image.get_width(), image.get_height()];
  const scale = size / Math.min(width, height);
  const scaled = resize(
    image,
    Math.max(size, Math.round(width * scale)),
    Math.max(size, Math.round(height * scale)),
    SamplingFilter.Triangle,
  );
  const pixels = new Uint32Array(scaled.get_raw_pixels().slice().buffer);
  const rowLength = scaled.get_width();
  const left = Math.floor((rowLength - size) / 2);
  const top = Math.floor((scaled.get_height() - size) / 2);
  scaled.free();
  const square = new Uint32Array(size * size);
  const end = size - 1;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [column, row] = toSource(orientation, { x, y, end });
      square[y * size + x] = pixels[(top + row) * rowLength + left + column] ?? 0;
    }
  }
  return new PhotonImage(new Uint8Array(square.buffer), size, size);
}

/** Returns the position in the stored picture of a position in the upright one. */
function toSource(
  orientation: number,
  { x, y, end }: { x: number; y: number; end: number },
): [number, number] {
  switch (orientation) {
    case 2:
      return [end - x, y];
    case 3:
      return [end - x, end - y];
    case 4:
      return [x, end - y];
    case 5:
      return [y, x];
    case 6:
      return [y, end - x];
    case 7:
      return [end - y, end - x];
    case 8:
      return [end - y, x];
    default:
      return [x, y];
  }
}
