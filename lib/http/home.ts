import type { Context } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import { accessLink, requireShortenKey, shorten } from "@/lib/links/actions.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import { findUrlProblem } from "@/lib/links/params.ts";
import { readForm } from "./body.ts";
import { clientAddressOf } from "./client_address.ts";
import { STATUS } from "./envelope.ts";
import type { Services, State } from "./services.ts";

/** A short link to show. */
export interface MadeLink {
  /** The invisible id. */
  readonly short: string;
  /** The address that carries it, percent-encoded. */
  readonly link: string;
  /** The long URL. */
  readonly url: string;
}

/** What the home page shows. */
export interface HomeData {
  /** The public address, without a final slash. */
  readonly baseUrl: string;
  /** Whether shortening asks for a key. */
  readonly needsKey: boolean;
  /** The link that was just made, or null. */
  readonly made: MadeLink | null;
  /** What was typed, and why it was refused. */
  readonly form: { readonly url: string; readonly problem: string | null };
}

/** The home page; with `?short=ID` it shows that link, which is no visit. */
export async function loadHome(app: Services, short: string | null): Promise<HomeData> {
  return { ...emptyHome(app), made: short === null ? null : await findMadeLink(app, short) };
}

/** What became of a submitted form: the address to go on to, or the page again with what was typed and its problem. */
export type FormOutcome =
  | { readonly isDone: true; readonly location: string }
  | { readonly isDone: false; readonly status: number; readonly data: HomeData };

/** Shortens what the home page's form sent. */
export async function shortenFromForm({ state, req, info }: Context<State>): Promise<FormOutcome> {
  const { app } = state;
  let url = "";
  try {
    const fields = await readForm(req);
    url = (fields.get("url") ?? "").trim();
    await app.limiter?.consume("shorten", clientAddressOf(app.addresses, req, info));
    await requireShortenKey(app.links, fields.get("key") || null);
    const problem = findUrlProblem(url);
    if (problem !== null) throw new AppError("BAD_REQUEST", problem);
    const { short } = await shorten(app.links, url);
    return { isDone: true, location: `/?short=${encodeURIComponent(short)}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const data = { ...emptyHome(app), form: { url, problem: error.message } };
    return { isDone: false, status: STATUS[error.code], data };
  }
}

function emptyHome({ config }: Services): HomeData {
  return {
    baseUrl: config.baseUrl,
    needsKey: config.shortenApiKey !== null,
    made: null,
    form: { url: "", problem: null },
  };
}

async function findMadeLink(app: Services, incoming: string): Promise<MadeLink | null> {
  try {
    const { short, url } = await accessLink(app.links, incoming);
    return { short, url, link: toShortLink(app.config.baseUrl, short) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
