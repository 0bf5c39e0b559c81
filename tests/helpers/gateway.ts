/**
 * A TCP forwarder with its own address: the server behind it can be replaced while clients keep their URL.
 */
export class Gateway implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.TcpConn>();
  readonly #serving: Promise<void>;
  #targetPort: number | null = null;

  constructor() {
    this.#serving = this.#serve();
  }

  /** Address without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Forwards new connections to a port on this machine; null closes them at once. */
  forwardTo(port: number | null): void {
    this.#targetPort = port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) closeQuietly(connection);
    await this.#serving;
  }

  async #serve(): Promise<void> {
    const forwarding: Promise<void>[] = [];
    for await (const client of this.#listener) forwarding.push(this.#forward(client));
    await Promise.all(forwarding);
  }

  async #forward(client: Deno.TcpConn): Promise<void> {
    this.#open.add(client);
    let target: Deno.TcpConn | null = null;
    try {
      if (this.#targetPort === null) return;
      target = await Deno.connect({ hostname: "127.0.0.1", port: this.#targetPort });
      this.#open.add(target);
      // A connection closed by one side is closed for both.
      await Promise.race([
        client.readable.pipeTo(target.writable).catch(() => {}),
        target.readable.pipeTo(client.writable).catch(() => {}),
      ]);
    } catch {
      // The client sees a lost connection, as it would without a gateway.
    } finally {
      for (const connection of [client, target]) {
        if (connection === null) continue;
        this.#open.delete(connection);
        closeQuietly(connection);
      }
    }
  }
}

function closeQuietly(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // The connection is closed already.
  }
}
