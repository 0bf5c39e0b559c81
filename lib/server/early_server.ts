import type { ServeHandler } from "./guard.ts";

/** A server that listens on a port of the system's choice before its request handler exists. */
export interface EarlyServer {
  readonly port: number;
  /** Handles requests with `handler`, including those that arrived before it. */
  start(handler: ServeHandler): Deno.HttpServer<Deno.NetAddr>;
}

/**
 * Listens on a free port. The default of BASE_URL names the port, so it must be known before the services are
 * created.
 */
export function listenEarly(hostname: string): EarlyServer {
  const started = Promise.withResolvers<ServeHandler>();
  let handle: ServeHandler = async (request, info) => await (await started.promise)(request, info);
  const server = Deno.serve(
    { hostname, port: 0, onListen: () => {} },
    (request, info) => handle(request, info),
  );
  return {
    port: server.addr.port,
    start(handler) {
      handle = handler;
      started.resolve(handler);
      return server;
    },
  };
}
