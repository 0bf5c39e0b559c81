import { signOut } from "@/lib/pages/login_page.ts";
import { methods } from "@/lib/api/methods.ts";
import { sendOn } from "@/lib/api/page_session.ts";

export const handler = methods({
  // Links can be followed by prefetching and other sites; only the form signs out.
  GET: (ctx) => Promise.resolve(sendOn(ctx, "/account")),
  POST: signOut,
});
