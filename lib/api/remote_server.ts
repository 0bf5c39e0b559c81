import type { Context } from "fresh";
import { requireRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readBasic } from "./principal.ts";
import { consumeAddressLimit } from "./request_limits.ts";
import { subdomainOf } from "./request_realm.ts";
import type { State } from "../services/services.ts";

/**
 * Requires the id and key of a registered server.
 * @throws AppError UNAUTHORIZED, INVALID_API_KEY, RATE_LIMIT_HIT or BAD_REQUEST.
 */
export async function requireRemote(ctx: Context<State>): Promise<void> {
  const { bouncer, limiter } = ctx.state.app;
  if (subdomainOf(ctx) !== "") throw new AppError("BAD_REQUEST", "Invalid subdomain");
  const credentials = readBasic(requireHeader(ctx));
  try {
    const { org_id } = await requireRemoteServer(bouncer, credentials);
    await limiter?.consume("remote_server", org_id);
  } catch (error) {
    // A client that guesses keys is counted as a stranger.
    if (error instanceof AppError && error.code === "INVALID_API_KEY") {
      await consumeAddressLimit(ctx, "api_address");
    }
    throw error;
  }
}

/** Returns the id of the registered server that sent a request. */
export function remoteServerOf(ctx: Context<State>): string {
  return readBasic(requireHeader(ctx)).name.toLowerCase();
}

function requireHeader({ req }: Context<State>): string {
  const header = req.headers.get("authorization");
  if (header !== null) return header;
  throw new AppError("UNAUTHORIZED", "Missing authorization header for basic auth");
}
