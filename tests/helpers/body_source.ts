import { BodyArrivals, type BodySource } from "@/lib/core/body_arrival.ts";

/** Returns a request as handlers get it, with the arrivals of a server. */
export function toBodySource(req: Request, arrivals = new BodyArrivals()): BodySource {
  return { req, state: { app: { arrivals } } };
}
