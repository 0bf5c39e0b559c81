import type { EarlyServer } from "./early_server.ts";
import type { Services } from "./services.ts";
import { drainServices } from "./services.ts";
import type { ServeHandler } from "./guard.ts";

/** Milliseconds in which requests in flight may finish after the server was told to stop. */
const STOP_MS = 10_000;
/** Milliseconds between two looks at whether requests are still in flight. */
const POLL_MS = 10;
/** Milliseconds before listening starts again after it failed, as at the limit of open files. */
const RESTART_MS = 100;

/** A server that listens. */
export interface Listener {
  /** Where it listens. */
  readonly address: Deno.NetAddr;
  /** Stops accepting, lets what is in flight finish (10 seconds at most), writes what is pending. */
  stop(): Promise<void>;
}

/** Listens at the configured address, or where `earlyServer` does; a listener that fails while it runs is replaced. */
export function listen(app: Services, handler: ServeHandler, earlyServer: EarlyServer | null): Listener {
  let server = earlyServer?.start(handler) ?? serve(app, handler, app.config.port);
  const { addr } = server;
  const keepServing = async () => {
    for (;;) {
      try {
        return await server.finished;
      } catch (error) {
        if (app.status.isStopping) return;
        app.log.event("error", "listening failed and starts again", { cause: String(error) });
        server = await serveAgain(app, handler, addr.port);
      }
    }
  };
  keepServing();
  return {
    address: addr,
    async stop() {
      app.status.isStopping = true;
      app.events.stop();
      const deadline = app.clock.monotonic() + STOP_MS;
      // Shutting down cuts off bodies that are still arriving, so requests are let finish first.
      const isBusy = () => app.status.inFlight + app.status.waiting > 0;
      while (isBusy() && app.clock.monotonic() < deadline) await pause(POLL_MS);
      const rest = pause(Math.max(0, deadline - app.clock.monotonic()));
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

/** The port may stay taken for a moment, and files may still be short. */
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
