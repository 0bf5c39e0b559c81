import type { ImageHeader } from "./image_header.ts";

/** An image for the worker to turn into square PNG pictures. */
export interface ImageJob {
  readonly content: Uint8Array;
  readonly header: ImageHeader;
  /** Sides of the squares, in pixels. */
  readonly sizes: readonly number[];
}

/** PNG pictures in the order of the sizes; null for an image that cannot be decoded. */
export type ImageResult = readonly Uint8Array[] | null;
