import type { Context } from "fresh";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { toAppOfRequest } from "@/lib/chat/register/create_app.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Services, State } from "@/lib/services/services.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";

/** A request for an admin page. */
export interface AdminRequest extends AdminSession {
  readonly ctx: Context<State>;
  readonly services: Services;
  readonly chat: ChatApp;
  /** The caller in the form that actions take. */
  readonly caller: Caller;
  /** Reads what decides permissions now. */
  readonly readPermissions: () => Promise<PermissionContext>;
  /** Query of the page's URL. */
  readonly query: URLSearchParams;
}

/** Returns the request of a page that the gate admitted. */
export function adminRequest(ctx: Context<State>): AdminRequest {
  const { admin, app: services } = ctx.state;
  if (admin === undefined) throw new Error("An admin page stands behind the gate");
  const caller = { realm: admin.realm, actingUser: admin.user };
  const chat = toAppOfRequest(services.chat, admin.realm.id);
  const readPermissions = async () => permissionsOf(await chat.readOrganization(admin.realm.id), chat.clock);
  return { ...admin, ctx, services, chat, caller, readPermissions, query: ctx.url.searchParams };
}

/** Returns the request with its organization as it is in a snapshot. */
export function atOrganization(request: AdminRequest, organization: Snapshot): AdminRequest {
  const chat = toAppOfRequest(request.chat, organization.realmId, organization);
  return {
    ...request,
    chat,
    readPermissions: () => Promise.resolve(permissionsOf(organization, chat.clock)),
  };
}

/**
 * Counts a search towards the limit of the user.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function countSearch({ services, realm, user }: AdminRequest): Promise<void> {
  await services.limiter?.consume("admin_search", `${realm.id} ${user.id}`);
}

/** Returns an id from the page's path; NaN, which no record has, for anything else. */
export function pathId({ ctx }: Pick<AdminRequest, "ctx">, name = "id"): number {
  const text = ctx.params[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
