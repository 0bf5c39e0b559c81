import { deactivateRealm } from "@/lib/chat/organizations/create_realm.ts";
import { isOwner, requireOwner } from "@/lib/chat/users/model.ts";
import { sendOn } from "@/lib/api/page_session.ts";
import { clearSessionToken } from "@/lib/api/session_cookie.ts";
import { type AdminPageSpec, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";

/** Data of the page that confirms deactivating the organization. */
export interface ClosingData {
  readonly isOwner: boolean;
  /** Text to type: the subdomain, or the name of the root organization. */
  readonly word: string;
}

/** The page that confirms deactivating the organization; owners only. */
export const closingPage: AdminPageSpec<ClosingData> = {
  load: (request) => Promise.resolve({ isOwner: isOwner(request.user), word: closingWord(request) }),
  actions: { deactivate: { run: deactivate } },
};

function closingWord({ realm }: AdminRequest): string {
  return realm.subdomain === "" ? realm.name : realm.subdomain;
}

/** Sessions of a deactivated organization are invalid, so everyone is signed out. */
async function deactivate(request: AdminRequest, fields: FormFields): Promise<Response> {
  const { ctx, chat, realm, user, services, formatter, messages } = request;
  requireOwner(user);
  const word = closingWord(request);
  const typed = fields.text("typed").trim();
  if (typed !== word && typed !== realm.name.trim()) {
    throw new FormRefusal({ typed: formatter.t(messages.organization.closingWrong, { word }) });
  }
  await deactivateRealm(chat, realm.subdomain);
  const response = sendOn(ctx, "/login");
  clearSessionToken(response.headers, services.isHttps);
  return response;
}
