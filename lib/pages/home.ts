import type { Context } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import { readOpenLink, requireShortenKey, storeLink } from "@/lib/links/actions.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import { findUrlProblem } from "@/lib/links/params.ts";
import type { LinkCreator } from "@/lib/links/store.ts";
import { readPageForm } from "../api/body.ts";
import { hasSession, readSignedIn } from "../api/page_session.ts";
import { consumeAddressLimit } from "../api/request_limits.ts";
import { isSameOrigin } from "../api/same_origin.ts";
import { type PageOutcome, refusedPage } from "./form_problems.ts";
import type { Services, State } from "../services/services.ts";

/** A short link to show. */
interface MadeLink {
  /** The invisible id. */
  readonly short: string;
  /** The link with the id percent-encoded. */
  readonly link: string;
  /** The long URL. */
  readonly url: string;
}

/** Data of the home page. */
export interface HomeData {
  /** The public address, without a final slash. */
  readonly baseUrl: string;
  /** Whether the visitor has a session. */
  readonly isSignedIn: boolean;
  /** Whether shortening requires a key. */
  readonly needsKey: boolean;
  /** The new link, or null. */
  readonly made: MadeLink | null;
  /** The submitted URL and why it was refused. */
  readonly form: { readonly url: string; readonly problem: string | null };
}

/** Loads the home page. With `?short=ID` it shows that link without counting a visit. */
export async function loadHome(ctx: Context<State>): Promise<HomeData> {
  const short = ctx.url.searchParams.get("short");
  return { ...emptyHome(ctx), made: short === null ? null : await findMadeLink(ctx.state.app, short) };
}

/**
 * Outcome of a submitted form: the path to redirect to, or the page with the submitted URL and its problem.
 */
type FormOutcome =
  | { readonly isDone: true; readonly location: string }
  | ({ readonly isDone: false } & PageOutcome<HomeData>);

/** Shortens the URL of the home page's form. */
export async function shortenFromForm(ctx: Context<State>): Promise<FormOutcome> {
  const { app } = ctx.state;
  let url = "";
  try {
    await consumeAddressLimit(ctx, "shorten");
    const fields = await readPageForm(ctx);
    url = (fields.get("suggested") ?? fields.get("url") ?? "").trim();
    await requireShortenKey(app.links, fields.get("key") || null);
    const problem = findUrlProblem(url);
    if (problem !== null) throw new AppError("BAD_REQUEST", problem);
    const { short } = await storeLink(app.links, { url }, await readCreator(ctx));
    return { isDone: true, location: `/?short=${encodeURIComponent(short)}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const data = { ...emptyHome(ctx), form: { url, problem: error.message } };
    return { isDone: false, ...refusedPage(data, error) };
  }
}

/** Returns the signed-in user as the creator of a link; null without one, and for a form of another site. */
async function readCreator(ctx: Context<State>): Promise<LinkCreator | null> {
  const isOwn = isSameOrigin(ctx.req, new URL(ctx.state.app.config.baseUrl).origin);
  const signedIn = isOwn ? await readSignedIn(ctx) : null;
  return signedIn === null ? null : { realmId: signedIn.realm.id, userId: signedIn.session.user.id };
}

function emptyHome(ctx: Context<State>): HomeData {
  const { config } = ctx.state.app;
  return {
    isSignedIn: hasSession(ctx),
    baseUrl: config.baseUrl,
    needsKey: config.shortenApiKey !== null,
    made: null,
    form: { url: "", problem: null },
  };
}

async function findMadeLink(app: Services, incoming: string): Promise<MadeLink | null> {
  try {
    const { short, url } = await readOpenLink(app.links, incoming);
    return { short, url, link: toShortLink(app.config.baseUrl, short) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
