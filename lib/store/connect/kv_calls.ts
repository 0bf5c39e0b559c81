import { systemClock } from "@/lib/core/clock.ts";
import { backOff, OUTCOME_UNKNOWN, UNREACHABLE } from "../retry.ts";
import type { CurrentMetadata } from "./metadata.ts";

/** Milliseconds within which the store has to answer a call, so that a request is refused within two seconds. */
const DEADLINE_MS = 1500;
/** Failures after which the pause between two attempts at a store that hangs no longer grows. */
const PROBE_STEP = 6;
/** Path below which the client makes calls. */
const CALLS = "/calls";
const WRITE = "atomic_write";
/** Milliseconds for which the client may use the response to its exchange before it repeats it. */
const VALIDITY_MS = 24 * 60 * 60 * 1000;
/** Error of a request for which no connection could be made. */
const NO_CONNECTION = /\(Connect\)/;

/** Address by which the client names the store; `KvCalls` sends its requests to the real one. */
export const STORE_ADDRESS = "http://store.invalid";

/**
 * Requests of a KV Connect client. Each call is made once, with a deadline and the metadata as they are now; the
 * client's own exchange is answered without a request.
 */
export class KvCalls implements Disposable {
  readonly #metadata: CurrentMetadata;
  /** Whether a call was not answered in time and the store has not answered since. */
  #isHanging = false;
  #isClosed = false;

  constructor(metadata: CurrentMetadata) {
    this.#metadata = metadata;
  }

  /**
   * Sends a request of the client in place of `fetch`.
   * @throws Error whose message is UNREACHABLE or OUTCOME_UNKNOWN for a call that fails.
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return pathname.startsWith(`${CALLS}/`)
      ? await this.#call(pathname.slice(CALLS.length + 1), init?.body)
      : this.#toExchange();
  };

  [Symbol.dispose](): void {
    this.#isClosed = true;
  }

  #toExchange(): Response {
    const { version, databaseId } = this.#metadata.value;
    const response = Response.json({
      ...{ version, databaseId, token: "-" },
      endpoints: [{ url: CALLS, consistency: "strong" }],
      expiresAt: new Date(systemClock.now() + VALIDITY_MS).toISOString(),
    });
    // A response that was not received has no address, to which that of the endpoint is relative.
    return Object.defineProperty(response, "url", { value: STORE_ADDRESS });
  }

  async #call(method: string, body: BodyInit | null | undefined): Promise<Response> {
    if (this.#isHanging) throw new Error(UNREACHABLE);
    const { version, databaseId, token, endpoint } = this.#metadata.value;
    try {
      const response = await this.#metadata.connection.clock.observe(() =>
        fetch(`${endpoint}/${method}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/x-protobuf",
            "x-denokv-database-id": databaseId,
            "x-denokv-version": String(version),
          },
          body: body ?? null,
          signal: AbortSignal.timeout(DEADLINE_MS),
        })
      );
      const { status, headers } = response;
      return new Response(await response.bytes(), { status, headers });
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === "TimeoutError") this.#awaitStore();
      const isPossiblyWritten = method === WRITE && !NO_CONNECTION.test(String(cause));
      throw new Error(isPossiblyWritten ? OUTCOME_UNKNOWN : UNREACHABLE, { cause });
    }
  }

  /** Refuses calls until the store answers again, so that requests with several calls do not wait for each. */
  async #awaitStore(): Promise<void> {
    if (this.#isHanging) return;
    this.#isHanging = true;
    while (!this.#isClosed && !await this.#metadata.isAnswering()) await backOff(PROBE_STEP);
    this.#isHanging = false;
  }
}
