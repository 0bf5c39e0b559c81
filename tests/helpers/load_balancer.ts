/** Errors of requests that were never sent, because no connection could be made. */
const NOT_SENT = /\(Connect\)/;
/** Headers of the connection between a client and the balancer. */
const OF_THE_CONNECTION = ["connection", "host", "keep-alive", "transfer-encoding"];

/**
 * A reverse proxy with its own address that sends each request to the next server. A server that refuses
 * connections is skipped; a connection that a server loses is lost for the client as well.
 */
export class LoadBalancer implements AsyncDisposable {
  #targets: readonly string[] = [];
  #next = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request, info) => {
      const client = info.remoteAddr.transport === "tcp" ? info.remoteAddr.hostname : "";
      return this.#forward(request, client);
    });
  }

  /** Address without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Distributes later requests among servers, given by their addresses. */
  distributeTo(targets: readonly string[]): void {
    this.#targets = targets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #forward(request: Request, client: string): Promise<Response> {
    const body = request.body === null ? null : await request.bytes();
    const path = request.url.slice(new URL(request.url).origin.length);
    const headers = toForwarded(request.headers, client);
    for (let attempt = 0; attempt < this.#targets.length; attempt++) {
      const target = this.#targets[this.#next++ % this.#targets.length] ?? "";
      const init = { method: request.method, headers, body, signal: request.signal };
      try {
        return await fetch(target + path, { ...init, redirect: "manual" });
      } catch (error) {
        if (!NOT_SENT.test(String(error))) return loseConnection();
      }
    }
    return loseConnection();
  }
}

function toForwarded(received: Headers, client: string): Headers {
  const headers = new Headers(received);
  for (const name of OF_THE_CONNECTION) headers.delete(name);
  // Answers are passed on as they are.
  headers.set("accept-encoding", "identity");
  headers.append("x-forwarded-for", client);
  return headers;
}

/** Returns an answer whose body fails, which closes the connection. */
function loseConnection(): Response {
  const body = new ReadableStream({ start: (controller) => controller.error("a server was lost") });
  return new Response(body, { status: 502 });
}
