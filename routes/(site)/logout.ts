import { signOut } from "@/lib/http/login_page.ts";
import { methods } from "@/lib/http/methods.ts";
import { sendOn } from "@/lib/http/page_session.ts";

export const handler = methods({
  // A link can be followed by anything; only the button signs out.
  GET: (ctx) => Promise.resolve(sendOn(ctx, "/account")),
  POST: signOut,
});
