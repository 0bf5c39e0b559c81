import type { ImageHeader } from "./image_header.ts";

/** A rectangle in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

interface ImageSource {
  readonly content: Uint8Array;
  readonly header: ImageHeader;
}

/** An image to turn into square PNG pictures. */
interface SquaresJob extends ImageSource {
  readonly kind: "squares";
  /** Sides of the squares, in pixels. */
  readonly sizes: readonly number[];
}

/** An image to turn into one WebP picture that is at most as large as `box` and as the image. */
interface ThumbnailJob extends ImageSource {
  readonly kind: "thumbnail";
  readonly box: ImageSize;
}

/** A job of the worker; all pictures are upright. */
export type ImageJob = SquaresJob | ThumbnailJob;

/** The pictures, squares in the order of their sizes; null for an image that cannot be decoded. */
export type ImageResult = readonly Uint8Array[] | null;
