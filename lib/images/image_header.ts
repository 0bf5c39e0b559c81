/** Maximum number of pixels of an image; decoding takes four bytes for each, twice. */
const MAX_PIXELS = 25_000_000;
/** Maximum side of an image in pixels. Only PNG has longer ones, whose intermediate pictures would be large. */
const MAX_SIDE = 65_535;

/** Dimensions and orientation of an image, from its first bytes. */
export interface ImageHeader {
  /** Width in pixels, as stored. */
  readonly width: number;
  /** Height in pixels, as stored. */
  readonly height: number;
  /** Turn that makes the picture upright: 1 (none) to 8, as in Exif. */
  readonly orientation: number;
}

/** Reads the header of a PNG, GIF, JPEG or WebP image; null for any other or incomplete file. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readSize(view);
    return size === null || size.width === 0 || size.height === 0 ? null : { orientation: 1, ...size };
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns whether an image has few enough pixels to be decoded and scaled. */
export function isSmallEnough({ width, height }: Pick<ImageHeader, "width" | "height">): boolean {
  return Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS;
}

type Size = Pick<ImageHeader, "width" | "height"> & Partial<ImageHeader>;

function readSize(view: DataView): Size | null {
  switch (view.getUint32(0)) {
    case 0x89504e47:
      return { width: view.getUint32(16), height: view.getUint32(20) };
    case 0x47494638:
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    case 0x52494646:
      return readWebpSize(view, 12);
    default:
      return view.getUint16(0) === 0xffd8 ? readJpegSize(view) : null;
  }
}

/** Reads the dimensions from a chunk of a WebP file; null for one without. */
export function readWebpSize(view: DataView, at: number): Pick<ImageHeader, "width" | "height"> | null {
  const start = at + 8;
  switch (view.getUint32(at)) {
    // "VP8 ", lossy.
    case 0x56503820:
      return {
        width: view.getUint16(start + 6, true) & 0x3fff,
        height: view.getUint16(start + 8, true) & 0x3fff,
      };
    // "VP8L", lossless.
    case 0x5650384c: {
      const bits = view.getUint32(start + 1, true);
      return { width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
    }
    // "VP8X", extended.
    case 0x56503858: {
      const read = (from: number) => view.getUint16(from, true) + view.getUint8(from + 2) * 0x10000 + 1;
      return { width: read(start + 4), height: read(start + 7) };
    }
    default:
      return null;
  }
}

/** Walks the segments of a JPEG up to the frame header. */
function readJpegSize(view: DataView): Size | null {
  let orientation = 1;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), orientation };
    // The picture itself begins before any frame header.
    if (marker === 0xda) return null;
    const length = view.getUint16(at + 2);
    if (marker === 0xe1) orientation = readOrientation(view, at + 4, length - 2) ?? orientation;
    at += 2 + length;
  }
  return null;
}

/** Reads the orientation from an Exif segment; null when it has none. */
function readOrientation(view: DataView, start: number, length: number): number | null {
  const tiff = start + 6;
  if (length < 14 || view.getUint32(start) !== 0x45786966) return null;
  const little = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  const entries = view.getUint16(directory, little);
  for (let entry = 0; entry < Math.min(entries, 100); entry++) {
    const at = directory + 2 + 12 * entry;
    if (view.getUint16(at, little) !== 0x112) continue;
    const orientation = view.getUint16(at + 8, little);
    return orientation >= 1 && orientation <= 8 ? orientation : null;
  }
  return null;
}

/** Reads whether a GIF or WebP file holds several pictures; other files never do. */
export function isAnimated(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x47494638) return hasTwoGifPictures(view);
    // "RIFF" with an extended header, which has a flag for animations.
    const isExtendedWebp = view.getUint32(0) === 0x52494646 && view.getUint32(12) === 0x56503858;
    return isExtendedWebp && (view.getUint8(20) & 0x02) !== 0;
  } catch (error) {
    // The file ends within a block.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Walks the blocks of a GIF up to its second picture. */
function hasTwoGifPictures(view: DataView): boolean {
  let pictures = 0;
  let at = 13 + colorTableLength(view.getUint8(10));
  for (;;) {
    const kind = view.getUint8(at);
    if (kind === 0x2c) {
      if (++pictures === 2) return true;
      // Descriptor, color table and the width of codes precede the data.
      at = skipBlocks(view, at + 11 + colorTableLength(view.getUint8(at + 9)));
    } else if (kind === 0x21) at = skipBlocks(view, at + 2);
    else return false;
  }
}

/** Returns the bytes of the color table that a packed field announces. */
export function colorTableLength(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 << (packed & 0x07) + 1;
}

/** Returns the position after a list of data blocks, which an empty block ends. */
export function skipBlocks(view: DataView, start: number): number {
  let at = start;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}
