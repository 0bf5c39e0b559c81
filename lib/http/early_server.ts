import type { ServeHandler } from "./guard.ts";

/** A server that listens on a port of the system's choice before the handler of its requests exists. */
export interface EarlyServer {
  readonly port: number;
  /** Answers requests with `handler`, those that came before it included. */
  start(handler: ServeHandler): Deno.HttpServer<Deno.NetAddr>;
}

/** Listens on a free port, whose number the default of BASE_URL needs before anything that could answer is made. */
export function listenEarly(hostname: string): EarlyServer {
  const started = Promise.withResolvers<ServeHandler>();
  const handle: ServeHandler = async (request, info) => await (await started.promise)(request, info);
  const server = Deno.serve({ hostname, port: 0, onListen: () => {} }, handle);
  return {
    port: server.addr.port,
    start(handler) {
      started.resolve(handler);
      return server;
    },
  };
}
