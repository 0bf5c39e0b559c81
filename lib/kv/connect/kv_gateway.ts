import { equalSecrets, toHex } from "@/lib/core/bytes.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { backOff } from "../retry.ts";
import type { CurrentMetadata } from "./metadata.ts";
import { OUTCOME_UNKNOWN, UNREACHABLE } from "./outcome.ts";

/** Milliseconds within which the store has to answer a call, so that a request is refused within two seconds. */
const DEADLINE_MS = 1500;
/** Failures after which the pause between two attempts at a store that hangs no longer grows. */
const PROBE_STEP = 6;
/** Status of failed calls: the runtime repeats those with a status of 500 and above for good. */
const FAILED = 424;
/** Path below which the gateway takes calls. */
const CALLS = "/calls/";
const WRITE = "atomic_write";
const METHODS = [WRITE, "snapshot_read"];
/** Milliseconds for which the runtime may use the gateway's token before it asks again. */
const VALIDITY_MS = 24 * 60 * 60 * 1000;
/** Error of a request for which no connection could be made. */
const NO_CONNECTION = /\(Connect\)/;

/**
 * A KV Connect server on loopback through which the runtime's client calls the real one. The client repeats
 * failed calls without end, and so would carry out a commit twice or long after its request was refused; the
 * gateway makes each call once, with a deadline, and reports its failure.
 */
export class KvGateway implements Disposable {
  readonly #metadata: CurrentMetadata;
  readonly #token = toHex(crypto.getRandomValues(new Uint8Array(16)));
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** Whether a call was not answered in time and the store has not answered since. */
  #isHanging = false;
  #isClosed = false;

  constructor(metadata: CurrentMetadata) {
    this.#metadata = metadata;
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#handle(request));
    this.#server.unref();
  }

  /** Address for the runtime's client. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#server.shutdown();
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const isCall = pathname.startsWith(CALLS);
    const expected = `Bearer ${isCall ? this.#token : this.#metadata.connection.accessToken}`;
    if (!await equalSecrets(request.headers.get("authorization") ?? "", expected)) {
      return fail("The token is not valid.");
    }
    if (!isCall) return this.#answerExchange();
    const method = pathname.slice(CALLS.length);
    return METHODS.includes(method)
      ? await this.#call(method, request)
      : fail("The method is not supported.");
  }

  #answerExchange(): Response {
    const { version, databaseId } = this.#metadata.value;
    return Response.json({
      ...{ version, databaseId, token: this.#token },
      endpoints: [{ url: CALLS.slice(0, -1), consistency: "strong" }],
      expiresAt: new Date(systemClock.now() + VALIDITY_MS).toISOString(),
    });
  }

  async #call(method: string, request: Request): Promise<Response> {
    const body = await request.bytes();
    if (this.#isHanging) return fail(UNREACHABLE);
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
          body,
          signal: AbortSignal.timeout(DEADLINE_MS),
        })
      );
      const answer = await response.bytes();
      const headers = { "content-type": response.headers.get("content-type") ?? "" };
      return new Response(answer, { status: response.status >= 500 ? FAILED : response.status, headers });
    } catch (error) {
      if (error instanceof DOMException && error.name === "TimeoutError") this.#awaitStore();
      const isPossiblyWritten = method === WRITE && !NO_CONNECTION.test(String(error));
      return fail(isPossiblyWritten ? OUTCOME_UNKNOWN : UNREACHABLE);
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

function fail(text: string): Response {
  return new Response(text, { status: FAILED });
}
