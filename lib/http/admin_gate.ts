import type { Context, Middleware } from "fresh";
import { isAdmin } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createSpeech } from "@/lib/ui/speech.ts";
import { wordsOf } from "@/lib/ui/words/catalogue.ts";
import { adminLanguageOf } from "./admin_language.ts";
import { clearNotice, readNotice } from "./page_notice.ts";
import { readSignedIn, sendOn } from "./page_session.ts";
import type { State } from "./services.ts";
import { readSingleKeys } from "./single_keys.ts";
import { readTheme } from "./theme.ts";

/**
 * Lets administrators through to the admin pages: strangers are sent to sign in and come back, everybody else is refused.
 */
export const adminGate: Middleware<State> = async (ctx) => {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return sendOn(ctx, `/login?next=${encodeURIComponent(returnPath(ctx))}`);
  const { realm, session: { user } } = signedIn;
  const language = adminLanguageOf(ctx.req);
  const words = wordsOf(language);
  if (!isAdmin(user)) throw new AppError("UNAUTHORIZED_PRINCIPAL", words.shell.refused, { status: 403 });
  const speech = createSpeech({ language, timeZone: user.timezone });
  const notice = readNotice(ctx.req);
  const choices = { theme: readTheme(ctx.req), hasSingleKeys: readSingleKeys(ctx.req) };
  ctx.state.admin = { realm, user, speech, words, ...choices, notice };
  const response = await ctx.next();
  // What was said once is not said again, except where it is only now to be said; what is no page says nothing.
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  if (notice !== null && isPage && response.status < 300) clearNotice(response.headers);
  return response;
};

/** A form cannot be sent again after signing in: one comes back to its page. */
function returnPath({ url, req }: Context<State>): string {
  return req.method === "GET" ? url.pathname + url.search : url.pathname;
}
