import { deactivateRealm } from "@/lib/chat/organizations/deactivate.ts";
import { requireOwner } from "@/lib/chat/users/rights.ts";
import { isOwner } from "@/lib/chat/users/user.ts";
import { sendOn } from "@/lib/http/page_session.ts";
import { clearSessionToken } from "@/lib/http/session_cookie.ts";
import { type AdminPageSpec, FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";

/** What the page that asks before the organization is deactivated shows. */
export interface ClosingData {
  readonly isOwner: boolean;
  /** What has to be typed: the subdomain, or the name of the organization that has none. */
  readonly word: string;
}

/** The page that asks before the organization is deactivated; owners only. */
export const closingPage: AdminPageSpec<ClosingData> = {
  load: (request) => Promise.resolve({ isOwner: isOwner(request.user), word: closingWord(request) }),
  actions: { deactivate: { run: deactivate } },
};

function closingWord({ realm }: AdminRequest): string {
  return realm.subdomain === "" ? realm.name : realm.subdomain;
}

/** Sessions of an organization that is closed count no more: everybody is signed out by it. */
async function deactivate(request: AdminRequest, fields: FormFields): Promise<Response> {
  const { ctx, chat, realm, user, services, speech, words } = request;
  requireOwner(user);
  const word = closingWord(request);
  const typed = fields.text("typed").trim();
  if (typed !== word && typed !== realm.name.trim()) {
    throw new FormRefusal({ typed: speech.say(words.organization.closingWrong, { word }) });
  }
  await deactivateRealm(chat, realm.subdomain);
  const response = sendOn(ctx, "/login");
  clearSessionToken(response.headers, services.isHttps);
  return response;
}
