import { AppError } from "@/lib/core/errors.ts";
import { readImageHeader } from "./image_header.ts";
import type { ImageJob, ImageResult } from "./image_job.ts";

/** Maximum number of pixels of an image; decoding takes four bytes for each, twice. */
export const MAX_PIXELS = 25_000_000;
/** Maximum number of images that wait or are being worked on. */
const MAX_JOBS = 16;
/** Time that one image may take, in milliseconds; then the worker is ended. */
const JOB_MS = 20_000;
/** Time after which a worker without work is ended and its memory freed, in milliseconds. */
const IDLE_MS = 10_000;

/** Turns uploaded images into square PNG pictures, in a worker that is started when it is needed. */
export interface ImageResizer {
  /**
   * Returns PNG pictures in the order of `sizes`, the sides of the squares in pixels. `owner` names the account
   * that waits; each has one image at a time.
   * @throws AppError BAD_REQUEST for an image with too many pixels, RATE_LIMIT_HIT when the account has an
   * image in work, and UNAVAILABLE when too many images wait.
   */
  toSquares(owner: string, content: Uint8Array, sizes: readonly number[]): Promise<ImageResult>;
  /** Ends the worker for good; further jobs fail as images that cannot be decoded. */
  close(): void;
}

/** Creates a resizer; it takes no resources until the first image. */
export function createImageResizer(): ImageResizer {
  const owners = new Set<string>();
  const runner = new WorkerRunner();
  let last: Promise<unknown> = Promise.resolve();
  return {
    async toSquares(owner, content, sizes) {
      const header = readImageHeader(content);
      if (header === null) return null;
      if (header.width * header.height > MAX_PIXELS) {
        throw new AppError("BAD_REQUEST", "Image size exceeds limit.");
      }
      if (owners.has(owner)) {
        throw new AppError("RATE_LIMIT_HIT", "Another image of yours is being processed.");
      }
      if (owners.size >= MAX_JOBS) throw new AppError("UNAVAILABLE", "Too many images are being processed.");
      owners.add(owner);
      try {
        const job = last.then(() => runner.run({ content, header, sizes }));
        last = job;
        return await job;
      } finally {
        owners.delete(owner);
      }
    },
    close: () => runner.close(),
  };
}

/** Runs jobs one after the other in a worker. */
class WorkerRunner {
  #worker: Worker | null = null;
  #finish: ((result: ImageResult) => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** Runs a job; a failed one ends the worker, whose decoder may be in an unknown state. */
  async run(job: ImageJob): Promise<ImageResult> {
    if (this.#isClosed) return null;
    clearTimeout(this.#timer);
    const worker = this.#worker ??= this.#start();
    const { promise, resolve } = Promise.withResolvers<ImageResult>();
    this.#finish = resolve;
    this.#timer = setTimeout(() => resolve(null), JOB_MS);
    worker.postMessage(job);
    const result = await promise;
    clearTimeout(this.#timer);
    this.#finish = null;
    if (result === null) this.end();
    else {
      this.#timer = setTimeout(() => this.end(), IDLE_MS);
      Deno.unrefTimer(this.#timer);
    }
    return result;
  }

  /** Ends the worker for good. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Ends the worker, and the job in work as a failed one. */
  end(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#finish?.(null);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./image_worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<ImageResult>) => this.#finish?.(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#finish?.(null);
    });
    return worker;
  }
}
