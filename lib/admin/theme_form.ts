import type { Context } from "fresh";
import { readRealmForm, sendOn } from "@/lib/http/page_session.ts";
import { safePath } from "@/lib/http/same_origin.ts";
import type { State } from "@/lib/http/services.ts";
import { setTheme } from "@/lib/http/theme.ts";
import { THEMES } from "@/lib/ui/themes.ts";
import { adminRequest } from "./admin_request.ts";

/** Keeps the colours that somebody chose, and sends him back to where he was. */
export async function submitTheme(ctx: Context<State>): Promise<Response> {
  const { realm } = adminRequest(ctx);
  const wanted = (await readRealmForm(ctx, realm)).get("theme");
  const response = sendOn(ctx, safePath(refererPath(ctx.req), "/admin"));
  setTheme(response.headers, THEMES.find((theme) => theme === wanted) ?? "system");
  return response;
}

function refererPath({ headers }: Request): string | null {
  const url = URL.parse(headers.get("referer") ?? "");
  return url === null ? null : url.pathname + url.search;
}
