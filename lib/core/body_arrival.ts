import { AppError } from "./errors.ts";

/** Progress of a request's body: its reader counts the bytes, and the server may give it up when it is full. */
export class BodyArrival {
  /** Number of bytes read so far. */
  bytes = 0;
  #error: AppError | null = null;
  #onGivenUp: (error: AppError) => void = () => {};

  /** `onEnd` is called when the reading ends, whether the body was read completely or not. */
  constructor(private readonly onEnd: () => void) {}

  /** Starts the reading; `fail` is called when the body is given up, at once if it already was. */
  begin(fail: (error: AppError) => void): void {
    this.#onGivenUp = fail;
    if (this.#error !== null) fail(this.#error);
  }

  /** Ends the reading. */
  end(): void {
    this.#onGivenUp = () => {};
    this.onEnd();
  }

  /** Fails the reading with REQUEST_TIMEOUT. */
  giveUp(): void {
    this.#error = new AppError("REQUEST_TIMEOUT", "The body arrived too slowly.");
    this.#onGivenUp(this.#error);
  }
}

const ARRIVAL = Symbol("arrival");

/** A request that carries its arrival while the server watches it. */
interface WatchedRequest extends Request {
  readonly [ARRIVAL]?: BodyArrival;
}

/** Attaches an arrival to a request, which costs less than wrapping the body in a stream. */
export function setArrival(request: Request, arrival: BodyArrival): void {
  Object.assign(request, { [ARRIVAL]: arrival });
}

/** Returns the arrival attached to a request; null without one. */
export function arrivalOf(request: WatchedRequest): BodyArrival | null {
  return request[ARRIVAL] ?? null;
}
