import type { Context } from "fresh";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { toAppOfRequest } from "@/lib/chat/register/create_app.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Services, State } from "@/lib/services/services.ts";
import type { Phrase, PhraseValues } from "@/lib/ui/formatter.ts";
import { translate } from "@/lib/ui/messages/catalogue.ts";

/** A request for an admin page. */
export interface AdminRequest extends AdminSession {
  readonly ctx: Context<State>;
  readonly services: Services;
  readonly chat: ChatApp;
  /** The caller in the form that actions take. */
  readonly caller: { readonly realm: AdminSession["realm"]; readonly actingUser: AdminSession["user"] };
  /** Query of the page's URL. */
  readonly query: URLSearchParams;
  /** Formats a text of a page in the user's language. */
  t(phrase: Phrase, values?: PhraseValues): string;
}

/** Returns the request of a page that the gate admitted. */
export function adminRequest(ctx: Context<State>): AdminRequest {
  const { admin, app: services } = ctx.state;
  if (admin === undefined) throw new Error("An admin page stands behind the gate");
  const caller = { realm: admin.realm, actingUser: admin.user };
  const chat = toAppOfRequest(services.chat, admin.realm.id);
  const { formatter } = admin;
  const t = (phrase: Phrase, values?: PhraseValues) =>
    formatter.t(translate(formatter.language, phrase), values);
  return { ...admin, ctx, services, chat, caller, query: ctx.url.searchParams, t };
}

/** Returns an id from the page's path; NaN, which no record has, for anything else. */
export function pathId({ ctx }: Pick<AdminRequest, "ctx">, name = "id"): number {
  const text = ctx.params[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
