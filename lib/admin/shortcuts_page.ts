import { returnToOf } from "@/lib/pages/return_to.ts";
import { setFlashMessage } from "@/lib/pages/flash_message.ts";
import { sendOn } from "@/lib/api/page_session.ts";
import { setSingleKeys } from "@/lib/pages/single_keys.ts";
import type { AdminPageSpec } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";

/** The page that lists keyboard shortcuts and switches single keys on and off. */
export const shortcutsPage: AdminPageSpec<null[]> = {
  load: () => Promise.resolve([]),
  actions: {
    keys_on: { run: (request) => choose(request, true) },
    keys_off: { run: (request) => choose(request, false) },
  },
};

function choose({ ctx, messages, services }: AdminRequest, areOn: boolean): Promise<Response> {
  const { turnedOn, turnedOff } = messages.shell.shortcuts;
  const response = sendOn(ctx, returnToOf(ctx.req, "/admin/shortcuts"));
  setSingleKeys(response.headers, areOn, services.isHttps);
  setFlashMessage(response.headers, { text: areOn ? turnedOn : turnedOff }, services.isHttps);
  return Promise.resolve(response);
}
