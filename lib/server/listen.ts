import { drainServices, type Services } from "../services/services.ts";
import type { ServeHandler } from "./guard.ts";

/** Time in milliseconds that requests in flight may take after the server was asked to stop. */
const STOP_MS = 10_000;
/** Pause between two checks for requests in flight, in milliseconds. */
const POLL_MS = 10;
/** Pause before listening again after a failure, such as the limit of open files, in milliseconds. */
const RESTART_MS = 100;

/** A listening server. */
export interface Listener {
  /** The address it listens on. */
  readonly address: Deno.NetAddr;
  /**
   * Stops accepting requests, waits for those in flight up to 10 seconds or until `hurry` settles, and writes what is
   * pending.
   */
  stop(hurry?: Promise<void>): Promise<void>;
}

/**
 * Listens on the configured address, or takes over `earlyServer`. Replaces a listener that fails while it
 * runs.
 */
export function listen(app: Services, handler: ServeHandler, earlyServer: EarlyServer | null): Listener {
  let server = earlyServer?.start(handler) ?? serve(app, handler, app.config.port);
  const { addr } = server;
  const keepServing = async () => {
    for (;;) {
      try {
        return await server.finished;
      } catch (error) {
        if (app.status.isStopping) return;
        app.log.event("error", "listening failed; restarting", { cause: String(error) });
        server = await serveAgain(app, handler, addr.port);
      }
    }
  };
  keepServing();
  return {
    address: addr,
    async stop(hurry = new Promise(() => {})) {
      app.status.isStopping = true;
      app.events.stop();
      let deadline = app.clock.monotonic() + STOP_MS;
      hurry.then(() => deadline = 0);
      // Shutting down would cut off request bodies that are still arriving.
      const isBusy = () => app.status.inFlight + app.status.waiting > 0;
      while (isBusy() && app.clock.monotonic() < deadline) await pause(POLL_MS);
      const rest = Promise.race([hurry, pause(Math.max(0, deadline - app.clock.monotonic()))]);
      await Promise.race([server.shutdown(), rest]);
      await drainServices(app, rest);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function serve(app: Services, handler: ServeHandler, port: number): Deno.HttpServer<Deno.NetAddr> {
  const { host } = app.config;
  return Deno.serve({ hostname: host, port, onListen: () => {} }, handler);
}

/** The port may be taken for a moment longer, and the limit of open files may still be reached. */
async function serveAgain(
  app: Services,
  handler: ServeHandler,
  port: number,
): Promise<Deno.HttpServer<Deno.NetAddr>> {
  for (;;) {
    await pause(RESTART_MS);
    try {
      return serve(app, handler, port);
    } catch (error) {
      app.log.event("error", "listening failed", { cause: String(error) });
    }
  }
}

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

/** Returns a response to HEAD with the length that GET has, which is known unless the body is a stream of pieces. */
export async function withLength(response: Response): Promise<Response> {
  const { body, headers } = response;
  if (body === null || headers.has("content-length")) return response;
  const reader = body.getReader();
  const first = await reader.read();
  const isWhole = first.done || (await reader.read()).done;
  await reader.cancel();
  if (isWhole) headers.set("content-length", String(first.value?.length ?? 0));
  return new Response(null, response);
}

/**
 * Wraps a handler so that responses to HEAD name no length when theirs is unknown: the runtime writes 0 for one without
 * a body.
 */
export function withoutZeroLength(handler: ServeHandler): ServeHandler {
  const answerHead: ServeHandler = async (request, info) => {
    const response = await handler(request, info);
    if (response.status !== 200 || response.headers.has("content-length")) return response;
    return new Response(new ReadableStream({ start: (controller) => controller.close() }), response);
  };
  return (request, info) => request.method === "HEAD" ? answerHead(request, info) : handler(request, info);
}
