import type { Context } from "fresh";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { AdminSession } from "@/lib/http/admin_session.ts";
import type { Services, State } from "@/lib/http/services.ts";

/** A request for an admin page: who asks, where, and what for. */
export interface AdminRequest extends AdminSession {
  readonly ctx: Context<State>;
  readonly services: Services;
  readonly chat: ChatApp;
  /** The caller as domains name him. */
  readonly caller: { readonly realm: AdminSession["realm"]; readonly actingUser: AdminSession["user"] };
  /** The query of the page's address. */
  readonly query: URLSearchParams;
}

/** The request of a page that the gate let through. */
export function adminRequest(ctx: Context<State>): AdminRequest {
  const { admin, app: services } = ctx.state;
  if (admin === undefined) throw new Error("An admin page stands behind the gate");
  const caller = { realm: admin.realm, actingUser: admin.user };
  return { ...admin, ctx, services, chat: services.chat, caller, query: ctx.url.searchParams };
}

/**
 * An id in the page's path, or NaN for what is none: no record has that.
 */
export function pathId({ ctx }: Pick<AdminRequest, "ctx">, name = "id"): number {
  const text = ctx.params[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
