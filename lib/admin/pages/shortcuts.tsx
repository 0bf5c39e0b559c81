import { adminPage } from "../declare/page.tsx";
import { ShortcutList } from "@/components/admin/shortcuts/ShortcutList.tsx";
import { sendOn } from "@/lib/api/page_session.ts";
import { setFlashMessage } from "@/lib/pages/flash_message.ts";
import { returnToOf } from "@/lib/pages/admin_gate.ts";
import { setSingleKeys } from "@/lib/pages/single_keys.ts";
import type { AdminRequest } from "../admin_request.ts";

function choose({ ctx, t, services }: AdminRequest, areOn: boolean): Promise<Response> {
  const text = t(areOn ? "Single-key shortcuts are on." : "Single-key shortcuts are off.");
  const response = sendOn(ctx, returnToOf(ctx.req, "/admin/shortcuts"));
  setSingleKeys(response.headers, areOn, services.isHttps);
  setFlashMessage(response.headers, { text }, services.isHttps);
  return Promise.resolve(response);
}

/** The page that lists keyboard shortcuts and switches single keys on and off. */
export const shortcutsPage = adminPage({
  path: "/admin/shortcuts",
  load: () => Promise.resolve({}),
  title: "Keyboard shortcuts",
  find: { words: "keys" },
  lede: "Press one key, or two keys one after the other. Shortcuts are off while you type in a field.",
  forms: [
    { action: "keys_on", run: (request) => choose(request, true) },
    { action: "keys_off", run: (request) => choose(request, false) },
  ],
  view: () => <ShortcutList />,
});
