import { AppError } from "./errors.ts";

/** The arrival of a request's body: its reader counts the bytes, and a server without free places may give it up. */
export class BodyArrival {
  /** Bytes that were read so far. */
  bytes = 0;
  #error: AppError | null = null;
  #onGivenUp: (error: AppError) => void = () => {};

  /** `onEnd` is called when the body was read, or will not be read on. */
  constructor(private readonly onEnd: () => void) {}

  /** Calls `fail` when the body is given up, at once if it was before. */
  begin(fail: (error: AppError) => void): void {
    this.#onGivenUp = fail;
    if (this.#error !== null) fail(this.#error);
  }

  end(): void {
    this.#onGivenUp = () => {};
    this.onEnd();
  }

  giveUp(): void {
    this.#error = new AppError("REQUEST_TIMEOUT", "The body arrived too slowly.");
    this.#onGivenUp(this.#error);
  }
}

const ARRIVAL = Symbol("arrival");

/** A request, which a server may watch. */
interface WatchedRequest extends Request {
  readonly [ARRIVAL]?: BodyArrival;
}

/** Lets the reader of a request's body find its arrival: a stream around the body would take more time than a short one. */
export function setArrival(request: Request, arrival: BodyArrival): void {
  Object.assign(request, { [ARRIVAL]: arrival });
}

/** Returns the arrival of a request's body; null if nothing watches it. */
export function arrivalOf(request: WatchedRequest): BodyArrival | null {
  return request[ARRIVAL] ?? null;
}
