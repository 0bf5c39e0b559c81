import {
  colorTableLength,
  type ImageHeader,
  isSmallEnough,
  readWebpSize,
  skipBlocks,
} from "./image_header.ts";

/** Maximum number of scans of a JPEG, each of which may refine all of its pixels; encoders write about ten. */
const MAX_SCANS = 100;

/** Types of chunks of a WebP file. */
const [LOSSY, LOSSLESS, FRAME, ALPHA, ANIMATION] = [
  0x56503820,
  0x5650384c,
  0x414e4d46,
  0x414c5048,
  0x414e494d,
];

class ReducedFile {
  readonly view: DataView;
  #length = 0;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Keeps a part, which must lie after those kept before. */
  keep(start: number, end: number): void {
    if (end > this.bytes.length) throw new RangeError("The file ends within a part.");
    this.bytes.copyWithin(this.#length, start, end);
    this.#length += end - start;
  }

  get kept(): Uint8Array {
    return this.bytes.subarray(0, this.#length);
  }
}

/**
 * Reduces a file, in place, to the parts that its first picture is decoded from. Decoders also read metadata,
 * which may be compressed a thousandfold, and further pictures. Returns null for an incomplete file and for one
 * whose first picture is larger than its header says.
 */
export function takeFirstPicture(bytes: Uint8Array, header: ImageHeader): Uint8Array | null {
  const file = new ReducedFile(bytes);
  try {
    return reduce(file, header) ? file.kept : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function reduce(file: ReducedFile, header: ImageHeader): boolean {
  switch (file.view.getUint32(0)) {
    case 0x89504e47:
      return reducePng(file);
    case 0x47494638:
      return reduceGif(file);
    case 0x52494646:
      return reduceWebp(file, header);
    default:
      return reduceJpeg(file, header);
  }
}

/** Keeps the chunks that decoders must know, and transparency. */
function reducePng(file: ReducedFile): boolean {
  const { view } = file;
  file.keep(0, 8);
  for (let at = 8;;) {
    const end = at + 12 + view.getUint32(at);
    const type = view.getUint32(at + 4);
    const isHeader = type === 0x49484452;
    if (isHeader !== (at === 8)) return false;
    // The first letter of a chunk that decoders must know is a capital.
    const isCritical = (type & 0x20000000) === 0;
    const isTransparency = type === 0x74524e53;
    if (isCritical || isTransparency) file.keep(at, end);
    // "IEND"
    if (type === 0x49454e44) return true;
    at = end;
  }
}

/** Keeps the first picture and the graphic control before it, which names the transparent color. */
function reduceGif(file: ReducedFile): boolean {
  const { view } = file;
  let at = 13 + colorTableLength(view.getUint8(10));
  file.keep(0, at);
  let control = { start: 0, end: 0 };
  for (;;) {
    const start = at;
    const kind = view.getUint8(at);
    if (kind === 0x21) {
      at = skipBlocks(view, at + 2);
      if (view.getUint8(start + 1) === 0xf9) control = { start, end: at };
    } else if (kind === 0x2c) {
      const size = { width: view.getUint16(at + 5, true), height: view.getUint16(at + 7, true) };
      if (!isSmallEnough(size)) return false;
      file.keep(control.start, control.end);
      file.keep(at, skipBlocks(view, at + 11 + colorTableLength(view.getUint8(at + 9))));
      return true;
    } else return false;
  }
}

/** Keeps one frame, its tables and the segments that say how its colors are stored. */
function reduceJpeg(file: ReducedFile, { width, height }: ImageHeader): boolean {
  const { bytes, view } = file;
  file.keep(0, 2);
  let frames = 0;
  let scans = 0;
  for (let at = skipToMarker(bytes, 2); at < bytes.length;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xd9) {
      file.keep(at, at + 2);
      break;
    }
    // Those without content.
    if (marker <= 0x01 || marker === 0xd8) {
      at = skipToMarker(bytes, at + 2);
      continue;
    }
    const segmentEnd = at + 2 + view.getUint16(at + 2);
    const end = skipToMarker(bytes, segmentEnd);
    const isTable = [0xc4, 0xcc, 0xdb, 0xdc, 0xdd].includes(marker);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8 && !isTable;
    if (isFrame) {
      const isSameSize = view.getUint16(at + 7) === width && view.getUint16(at + 5) === height;
      if (++frames > 1 || !isSameSize) return false;
    }
    const isScan = marker === 0xda;
    if (isScan && ++scans > MAX_SCANS) return false;
    // JFIF and Adobe segments name the color space.
    if (isScan) file.keep(at, end);
    else if (isFrame || isTable || marker === 0xe0 || marker === 0xee) file.keep(at, segmentEnd);
    at = end;
  }
  return frames === 1;
}

/** Returns the position of the next marker that is not part of a scan's data. */
function skipToMarker(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) break;
  }
  return at;
}

/** Keeps the first picture with its alpha channel, and what precedes it in an animation. */
function reduceWebp(file: ReducedFile, header: ImageHeader): boolean {
  const { bytes, view } = file;
  file.keep(0, 12);
  for (let at = 12, isLast = false; !isLast;) {
    const type = view.getUint32(at);
    const end = at + 8 + view.getUint32(at + 4, true);
    // A byte makes the length of each chunk even; the last one may lack it.
    const next = end === bytes.length ? end : end + end % 2;
    isLast = [LOSSY, LOSSLESS, FRAME].includes(type);
    if (isLast && !isInside(view, type === FRAME ? skipToPicture(view, at) : at, header)) return false;
    if (isLast || type === ALPHA || type === ANIMATION || at === 12) file.keep(at, next);
    at = next;
  }
  view.setUint32(4, file.kept.length - 8, true);
  return true;
}

/** Returns the position of the picture within a frame of an animation, whose alpha channel precedes it. */
function skipToPicture(view: DataView, frame: number): number {
  const first = frame + 24;
  if (view.getUint32(first) !== ALPHA) return first;
  const length = view.getUint32(first + 4, true);
  return first + 8 + length + length % 2;
}

/** Returns whether the picture in a chunk is at most as large as its file says. */
function isInside(view: DataView, at: number, { width, height }: ImageHeader): boolean {
  const size = readWebpSize(view, at);
  return size !== null && size.width <= width && size.height <= height;
}
