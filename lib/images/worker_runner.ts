import type { ImageJob, ImageResult } from "./image_job.ts";

/** Time that one image may take, in milliseconds; then the worker is ended. */
const JOB_MS = 20_000;
/** Time after which a worker without work is ended and its memory freed, in milliseconds. */
const IDLE_MS = 10_000;

/** Runs jobs one after the other in a worker. */
export class WorkerRunner {
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

  /** Whether the worker was ended for good. */
  get isClosed(): boolean {
    return this.#isClosed;
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
