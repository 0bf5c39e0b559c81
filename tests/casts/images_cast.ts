import { PhotonImage, resize, SamplingFilter } from "@/lib/images/photon.ts";
import { encodePng } from "@/lib/core/png.ts";

/** Start of an Exif segment with one entry, in the byte order of Motorola: the orientation 6. */
const EXIF = "457869660000" + "4d4d002a00000008" + "0001" + "011200030000000100060000" + "00000000";

/**
 * Returns a JPEG that stores a picture of red and blue halves on its side: it must be turned by a quarter to be
 * upright.
 */
export async function turnedJpeg(width: number, height = width): Promise<Uint8Array<ArrayBuffer>> {
  const image = PhotonImage.new_from_byteslice(await drawHalves(width));
  const scaled = resize(image, width, height, SamplingFilter.Nearest);
  const jpeg = scaled.get_bytes_jpeg(95);
  image.free();
  scaled.free();
  const exif = Uint8Array.fromHex(EXIF);
  return Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...jpeg.subarray(2));
}

/** Returns a PNG of one color. */
export function drawStripe(width: number, height: number): Uint8Array<ArrayBuffer> {
  const image = new PhotonImage(new Uint8Array(4 * width * height).fill(200), width, height);
  const png = new Uint8Array(image.get_bytes());
  image.free();
  return png;
}

/** Returns a square PNG of `size` pixels whose left half is red and whose right half is blue. */
export function drawHalves(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = new Uint8Array(size * size).map((_, at) => at % size < size / 2 ? 0 : 1);
  return encodePng({ size, palette: [[255, 0, 0], [0, 0, 255]], pixels });
}

/** GIF and WebP files of 8 by 4 pixels: with one red picture, and with a red one that a blue one follows. */
export const SMALL_IMAGES = {
  gif: Uint8Array.fromHex(
    "47494638376108000400810000ff00000000000000000000002c000000000800040000080c0001081c48b0a0c183040302003b",
  ),
  animatedGif: Uint8Array.fromHex(
    "47494638396108000400810000ff000000000000000000000021ff0b4e45545343415045322e30030100000021f904000a0000" +
      "002c000000000800040000080c0001081c48b0a0c1830403020021f904010a0001002c0000000008000400810000ff00000000" +
      "0000000000080c0001081c48b0a0c183040302003b",
  ),
  webp: Uint8Array.fromHex("524946461c000000574542505650384c0f0000002f07c000000710fd8ffe0722a2ff0100"),
  animatedWebp: Uint8Array.fromHex(
    "524946468400000057454250565038580a00000002000000070000030000414e494d06000000000000000000414e4d46280000" +
      "00000000000000070000030000640000025650384c0f0000002f07c000000710fd8ffe0722a2ff0100414e4d46280000000000" +
      "00000000070000030000640000005650384c0f0000002f07c000000710d1fffe0722a2ff0100",
  ),
};
