import { returnToOf } from "@/lib/http/came_from.ts";
import { setNotice } from "@/lib/http/page_notice.ts";
import { sendOn } from "@/lib/http/page_session.ts";
import { setSingleKeys } from "@/lib/http/single_keys.ts";
import type { AdminPageSpec } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";

/** The page that lists the keyboard shortcuts, and turns single keys off and on. */
export const shortcutsPage: AdminPageSpec<null[]> = {
  load: () => Promise.resolve([]),
  actions: {
    keys_on: { run: (request) => choose(request, true) },
    keys_off: { run: (request) => choose(request, false) },
  },
};

function choose({ ctx, words }: AdminRequest, areOn: boolean): Promise<Response> {
  const response = sendOn(ctx, returnToOf(ctx.req, "/admin/shortcuts"));
  setSingleKeys(response.headers, areOn);
  setNotice(response.headers, areOn ? words.shell.shortcuts.turnedOn : words.shell.shortcuts.turnedOff);
  return Promise.resolve(response);
}
