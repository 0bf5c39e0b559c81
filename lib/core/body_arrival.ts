import { AppError } from "./errors.ts";

/** Progress of a request's body: its reader counts the bytes, and the server may give it up when it is full. */
export class BodyArrival {
  /** Number of bytes read so far. */
  bytes = 0;
  #error: AppError | null = null;
  #onGivenUp: (error: AppError) => void = () => {};

  constructor(private readonly onEnd: () => void) {}

  /** Starts the reading; `fail` is called when the body is given up, at once if it already was. */
  begin(fail: (error: AppError) => void): void {
    this.#onGivenUp = fail;
    if (this.#error !== null) fail(this.#error);
  }

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

/** The arrivals of the requests that the server watches. Keeping them costs less than wrapping each body in a stream. */
export class BodyArrivals {
  readonly #byRequest = new WeakMap<Request, BodyArrival>();

  /** Watches a request; `onEnd` is called when the reading ends, whether the body was read completely or not. */
  watch(request: Request, onEnd: () => void): BodyArrival {
    const arrival = new BodyArrival(onEnd);
    this.#byRequest.set(request, arrival);
    return arrival;
  }

  /** Returns the arrival of a request; null for one that is not watched. */
  find(request: Request): BodyArrival | null {
    return this.#byRequest.get(request) ?? null;
  }
}

/** A request whose body is read, as handlers get it. */
export interface BodySource {
  readonly req: Request;
  readonly state: { readonly app: { readonly arrivals: BodyArrivals } };
}
