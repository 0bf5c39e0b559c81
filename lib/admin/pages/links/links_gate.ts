import type { Middleware } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";

/** Admits administrators of the root organization, because the links belong to the whole server. */
export const linksGate: Middleware<State> = (ctx) => {
  const { admin } = ctx.state;
  // The outer gate has already answered requests without a session.
  if (admin === undefined) throw new Error("The gate of links stands behind that of admin pages");
  if (admin.realm.subdomain !== "") {
    throw new AppError("UNAUTHORIZED_PRINCIPAL", admin.messages.stats.refused, { status: 403 });
  }
  return ctx.next();
};
