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
