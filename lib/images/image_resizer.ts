import { AppError } from "@/lib/core/errors.ts";
import { isSmallEnough, readImageHeader } from "./image_header.ts";
import type { ImageResult, ImageSize } from "./image_job.ts";
import { createImageTurns } from "./image_turns.ts";
import { WorkerRunner } from "./worker_runner.ts";

/** Maximum number of images to be cropped that wait or are being worked on. */
const MAX_SQUARES = 16;
/** Maximum number of thumbnails that wait; their images are read when their turn comes. */
const MAX_THUMBNAILS = 500;
/** Maximum number of images of one account that wait to be thumbnailed. */
const MAX_THUMBNAILS_OF_OWNER = 100;

/** Turns uploaded images into smaller pictures, in a worker that is started when it is needed. */
export interface ImageResizer {
  /**
   * Returns square PNG pictures in the order of `sizes`, the sides of the squares in pixels. `owner` names the
   * account that waits; each has one image at a time.
   * @throws AppError BAD_REQUEST for an image with too many pixels, RATE_LIMIT_HIT when the account has an
   * image in work, and UNAVAILABLE when too many images wait.
   */
  toSquares(owner: string, content: Uint8Array, sizes: readonly number[]): Promise<ImageResult>;
  /**
   * Returns an upright WebP picture that is at most as large as `box` and as the image; null for an image that
   * cannot be decoded or has too many pixels. `load` reads the image when its turn comes; the images of
   * different owners take turns.
   * @throws AppError UNAVAILABLE when too many images wait, and after `close`; what `load` throws.
   */
  toThumbnail(owner: string, load: () => Promise<Uint8Array>, box: ImageSize): Promise<Uint8Array | null>;
  /** Ends the worker for good; further jobs fail as images that cannot be decoded. */
  close(): void;
}

/** Creates a resizer; it takes no resources until the first image. */
export function createImageResizer(): ImageResizer {
  const owners = new Set<string>();
  const runner = new WorkerRunner();
  const turns = createImageTurns();
  return {
    async toSquares(owner, content, sizes) {
      const header = readImageHeader(content);
      if (header === null) return null;
      if (!isSmallEnough(header)) throw new AppError("BAD_REQUEST", "Image size exceeds limit.");
      if (owners.has(owner)) {
        throw new AppError("RATE_LIMIT_HIT", "Another image of yours is being processed.");
      }
      if (owners.size >= MAX_SQUARES) throw tooManyImages();
      owners.add(owner);
      try {
        return await turns.run(owner, () => runner.run({ kind: "squares", content, header, sizes }));
      } finally {
        owners.delete(owner);
      }
    },
    async toThumbnail(owner, load, box) {
      const isFull = turns.waiting() >= MAX_THUMBNAILS || turns.waitingOf(owner) >= MAX_THUMBNAILS_OF_OWNER;
      if (isFull || runner.isClosed) throw tooManyImages();
      const pictures = await turns.run(owner, async () => {
        const content = await load();
        const header = readImageHeader(content);
        if (header === null || !isSmallEnough(header)) return null;
        return await runner.run({ kind: "thumbnail", content, header, box });
      });
      // The image may be in order; only the worker was ended.
      if (pictures === null && runner.isClosed) throw tooManyImages();
      return pictures?.[0] ?? null;
    },
    close: () => runner.close(),
  };
}

function tooManyImages(): AppError {
  return new AppError("UNAVAILABLE", "Too many images are being processed.");
}
