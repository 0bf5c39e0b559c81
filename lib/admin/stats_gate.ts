import type { Middleware } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/http/services.ts";

/**
 * Lets administrators of the main organization through, the one at the public address itself: the links are the whole
 * server's, and no other organization's business.
 */
export const statsGate: Middleware<State> = (ctx) => {
  const { admin } = ctx.state;
  // Without a session the outer gate has answered already.
  if (admin === undefined) throw new Error("The gate of statistics stands behind that of admin pages");
  if (admin.realm.subdomain !== "") {
    throw new AppError("UNAUTHORIZED_PRINCIPAL", admin.words.stats.refused, { status: 403 });
  }
  return ctx.next();
};
