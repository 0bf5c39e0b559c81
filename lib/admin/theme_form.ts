import type { Context } from "fresh";
import { returnToOf } from "@/lib/http/came_from.ts";
import { readRealmForm, sendOn } from "@/lib/http/page_session.ts";
import type { State } from "@/lib/http/services.ts";
import { setTheme, toTheme } from "@/lib/http/theme.ts";
import { adminRequest } from "./admin_request.ts";

/** Keeps the colours that somebody chose, and sends him back to where he was. */
export async function submitTheme(ctx: Context<State>): Promise<Response> {
  const { realm } = adminRequest(ctx);
  const wanted = (await readRealmForm(ctx, realm)).get("theme");
  const response = sendOn(ctx, returnToOf(ctx.req, "/admin"));
  setTheme(response.headers, toTheme(wanted));
  return response;
}
