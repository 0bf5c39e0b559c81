import type { Context } from "fresh";
import { requireRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { AppError } from "@/lib/core/errors.ts";
import { clientAddressOf } from "./client_address.ts";
import { readBasic } from "./principal.ts";
import { subdomainOf } from "./request_realm.ts";
import type { State } from "./services.ts";

/**
 * Lets through servers that were admitted, by their id and key.
 * @throws AppError UNAUTHORIZED, INVALID_API_KEY, RATE_LIMIT_HIT or BAD_REQUEST.
 */
export async function requireRemote(ctx: Context<State>): Promise<void> {
  const { bouncer, limiter, addresses } = ctx.state.app;
  if (subdomainOf(ctx) !== "") throw new AppError("BAD_REQUEST", "Invalid subdomain");
  const credentials = readBasic(requireHeader(ctx));
  try {
    const { org_id } = await requireRemoteServer(bouncer, credentials);
    await limiter?.consume("remote_server", org_id);
  } catch (error) {
    // Whoever guesses is counted as the stranger that he is.
    if (error instanceof AppError && error.code === "INVALID_API_KEY") {
      await limiter?.consume("api_address", clientAddressOf(addresses, ctx.req, ctx.info));
    }
    throw error;
  }
}

/** The id of the server that asks, which was let through. */
export function remoteServerOf(ctx: Context<State>): string {
  return readBasic(requireHeader(ctx)).name.toLowerCase();
}

function requireHeader({ req }: Context<State>): string {
  const header = req.headers.get("authorization");
  if (header !== null) return header;
  throw new AppError("UNAUTHORIZED", "Missing authorization header for basic auth");
}
