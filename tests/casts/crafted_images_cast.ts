import { crc32, deflateSync } from "node:zlib";
import { PhotonImage } from "@/lib/images/photon.ts";

const encoder = new TextEncoder();
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A PNG of black pixels, of which each takes one bit unless `depth` says otherwise. */
export interface CraftedPng {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** Chunks between the header and the pixels. */
  readonly chunks?: readonly Uint8Array[];
  /** Chunks after the pixels. */
  readonly lastChunks?: readonly Uint8Array[];
}

/** Encodes a gray PNG with chunks that other encoders do not write. */
export function craftPng({ width, height, depth = 1, chunks = [], lastChunks = [] }: CraftedPng) {
  const rows = new Uint8Array(height * (1 + Math.ceil(width * depth / 8)));
  return join(
    SIGNATURE,
    pngChunk("IHDR", join(bigEndian(width), bigEndian(height), Uint8Array.of(depth, 0, 0, 0, 0))),
    ...chunks,
    pngChunk("IDAT", deflateSync(rows)),
    ...lastChunks,
    pngChunk("IEND"),
  );
}

/** Encodes a chunk of a PNG: length, type, content, checksum. */
export function pngChunk(type: string, content: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const body = join(encoder.encode(type), content);
  return join(bigEndian(content.length), body, bigEndian(crc32(body)));
}

/** Returns chunks whose content is 400 MiB when it is decompressed. */
export function compressedChunks(): Readonly<Record<"iCCP" | "iTXt" | "zTXt", Uint8Array>> {
  const content = deflateSync(new Uint8Array(400 * 1024 * 1024));
  return {
    iCCP: pngChunk("iCCP", join(encoder.encode("k\0\0"), content)),
    zTXt: pngChunk("zTXt", join(encoder.encode("k\0\0"), content)),
    iTXt: pngChunk("iTXt", join(encoder.encode("k\0\x01\0\0\0"), content)),
  };
}

/** A part of a WebP file: type, length, content and a byte that makes its length even. */
export function webpChunk(type: string, ...content: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = join(...content);
  return join(encoder.encode(type), littleEndian(body.length, 4), body, new Uint8Array(body.length % 2));
}

/** Returns the picture of a WebP file without loss, as a chunk. */
export function webpPicture(width: number, height = width): Uint8Array {
  const image = new PhotonImage(new Uint8Array(4 * width * height).fill(200), width, height);
  const file = image.get_bytes_webp();
  image.free();
  return file.subarray(12);
}

/** Returns a WebP file with an extended header and these chunks. */
export function extendedWebp(
  { flags, width, height = width }: {
    readonly flags: number;
    readonly width: number;
    readonly height?: number;
  },
  ...chunks: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const canvas = join(littleEndian(flags, 4), littleEndian(width - 1, 3), littleEndian(height - 1, 3));
  const body = join(encoder.encode("WEBP"), webpChunk("VP8X", canvas), ...chunks);
  return join(encoder.encode("RIFF"), littleEndian(body.length, 4), body);
}

/** Returns one picture of an animated WebP file, which claims to have these dimensions. */
export function webpFrame(picture: Uint8Array, width: number, height = width): Uint8Array {
  const fields = join(new Uint8Array(6), littleEndian(width - 1, 3), littleEndian(height - 1, 3));
  return webpChunk("ANMF", fields, new Uint8Array(4), picture);
}

/** Joins bytes. */
export function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

function bigEndian(value: number): Uint8Array {
  return littleEndian(value, 4).reverse();
}

function littleEndian(value: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => value >>> (8 * at) & 0xff);
}
