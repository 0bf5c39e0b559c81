import { crop, PhotonImage, resize, SamplingFilter } from "./photon.ts";
import { takeFirstPicture } from "./first_picture.ts";
import type { ImageHeader } from "./image_header.ts";
import type { ImageJob, ImageResult, ImageSize } from "./image_job.ts";

/** Quality of thumbnails, up to 100. */
const QUALITY = 75;

/** Worker that scales images; one job at a time. An unreadable image is a failed job. */
self.addEventListener("message", async ({ data }: MessageEvent<ImageJob>) => {
  self.postMessage(await run(data));
});

async function run(job: ImageJob): Promise<ImageResult> {
  try {
    const { width, height } = job.header;
    const content = takeFirstPicture(job.content, job.header);
    if (content === null) return null;
    const image = PhotonImage.new_from_byteslice(content);
    // An image of other dimensions than its header says could be larger than allowed.
    if (image.get_width() !== width || image.get_height() !== height) return null;
    return job.kind === "squares"
      ? toSquares(image, job.sizes, job.header)
      : [await toThumbnail(image, job.box, job.header)];
  } catch {
    // The decoder ends with an error of WebAssembly; its memory is not used again.
    return null;
  }
}

function toSquares(image: PhotonImage, sizes: readonly number[], header: ImageHeader): Uint8Array[] {
  const largest = toSquare(image, Math.max(...sizes), header);
  const pictures = sizes.map((size) => encodeScaled(largest, size));
  largest.free();
  return pictures;
}

/** Encodes a square picture as PNG of another size; scaling the large original again would take much longer. */
function encodeScaled(square: PhotonImage, size: number): Uint8Array {
  if (square.get_width() === size) return square.get_bytes();
  const scaled = resize(square, size, size, SamplingFilter.Triangle);
  const png = scaled.get_bytes();
  scaled.free();
  return png;
}

/**
 * Scales an image, which it frees, to cover a square, cuts off what is outside and turns it upright. Long
 * images are cut before, because scaled they could be larger than any limit; the copy takes less than the image.
 */
function toSquare(
  image: PhotonImage,
  size: number,
  { width, height, orientation }: ImageHeader,
): PhotonImage {
  const isLong = Math.max(width, height) >= 2 * Math.min(width, height);
  const source = isLong ? cropToSquare(image) : image;
  const [across, down] = [source.get_width(), source.get_height()];
  const scale = size / Math.min(across, down);
  const scaled = resize(
    source,
    Math.round(across * scale),
    Math.round(down * scale),
    SamplingFilter.Triangle,
  );
  source.free();
  const square = cropToSquare(scaled);
  const { pixels } = turnUpright(square, orientation);
  square.free();
  return new PhotonImage(pixels, size, size);
}

/** Returns the square in the middle of an image, which is freed or returned itself. */
function cropToSquare(image: PhotonImage): PhotonImage {
  const [width, height] = [image.get_width(), image.get_height()];
  if (width === height) return image;
  const side = Math.min(width, height);
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  const square = crop(image, left, top, left + side, top + side);
  image.free();
  return square;
}

/** Scales an image down to fit into a box, turns it upright and encodes it as WebP. */
async function toThumbnail(
  image: PhotonImage,
  box: ImageSize,
  { width, height, orientation }: ImageHeader,
): Promise<Uint8Array> {
  const [across, down] = orientation >= 5 ? [box.height, box.width] : [box.width, box.height];
  const scale = Math.min(1, across / width, down / height);
  const scaled = resize(
    image,
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
    SamplingFilter.Triangle,
  );
  image.free();
  const upright = turnUpright(scaled, orientation);
  scaled.free();
  return await encodeWebp(upright);
}

/** Pixels with four bytes each, red first. */
interface Pixels extends ImageSize {
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/** The encoder of the decoder's library writes WebP without loss only, which makes photos ten times as large. */
async function encodeWebp({ pixels, width, height }: Pixels): Promise<Uint8Array> {
  const { default: encode } = await import("@jsquash/webp/encode.js");
  const data = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
  return new Uint8Array(await encode(data, { quality: QUALITY }));
}

function turnUpright(picture: PhotonImage, orientation: number): Pixels {
  const [width, height] = [picture.get_width(), picture.get_height()];
  const source = new Uint32Array(picture.get_raw_pixels().slice().buffer);
  const upright = orientation >= 5 ? { width: height, height: width } : { width, height };
  const target = new Uint32Array(width * height);
  const end = { x: width - 1, y: height - 1 };
  for (let y = 0; y < upright.height; y++) {
    for (let x = 0; x < upright.width; x++) {
      const [column, row] = toSource(orientation, { x, y, end });
      target[y * upright.width + x] = source[row * width + column] ?? 0;
    }
  }
  return { ...upright, pixels: new Uint8Array(target.buffer) };
}

/** Returns the position in the stored picture, which ends at `end`, of a position in the upright one. */
function toSource(
  orientation: number,
  { x, y, end }: { x: number; y: number; end: { readonly x: number; readonly y: number } },
): [number, number] {
  switch (orientation) {
    case 2:
      return [end.x - x, y];
    case 3:
      return [end.x - x, end.y - y];
    case 4:
      return [x, end.y - y];
    case 5:
      return [y, x];
    case 6:
      return [y, end.y - x];
    case 7:
      return [end.x - y, end.y - x];
    case 8:
      return [end.x - y, x];
    default:
      return [x, y];
  }
}
