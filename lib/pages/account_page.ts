import type { Context } from "fresh";
import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { describeDevice, listSessions, type LiveSession } from "@/lib/chat/people/auth/sessions.ts";
import { readPendingEmail } from "@/lib/chat/people/user_settings/store.ts";
import { TIME_ZONES } from "@/lib/chat/people/user_settings/model/registry.ts";
import { canChangeEmail, canChangeName } from "@/lib/chat/people/user_settings/model/settings.ts";
import type { Role } from "@/lib/chat/organization/users/model.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createFormatter, type Formatter } from "@/lib/ui/formatter.ts";
import type { Theme } from "@/lib/ui/themes.ts";
import { ACCOUNT_ACTIONS, type AccountOutcome } from "./account_actions.ts";
import { type FormProblems, type PageOutcome, refusedPage, toPageProblem } from "./form_problems.ts";
import { findAdminPath, readOpenPages } from "./open_pages.ts";
import { readRealmForm, readSignedIn, sendOn, type SignedIn } from "../api/page_session.ts";
import type { State } from "../services/services.ts";
import { readTheme } from "./theme.ts";

/** Data of the account page. */
export interface AccountData {
  readonly organization: string;
  readonly icon: RealmRecord["icon"];
  /** First admin page that the user may open; null for none. */
  readonly adminPath: string | null;
  readonly user: {
    readonly fullName: string;
    readonly email: string;
    readonly role: Role;
    readonly pendingEmail: string | null;
  };
  readonly apiKey: {
    readonly shown: string | null;
    /** Day of UTC on which the key was last used; null without a recorded use. */
    readonly lastUsed: string | null;
  };
  readonly sessions: readonly SessionData[];
  readonly notice: { readonly kind: "good" | "problem"; readonly text: string } | null;
  readonly problems: FormProblems;
  readonly typed: Readonly<Record<string, string>>;
  readonly canChangeName: boolean;
  readonly canChangeEmail: boolean;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
  readonly theme: Theme;
  /** IANA name; empty for UTC. */
  readonly timeZone: string;
  readonly timeZones: readonly string[];
}

/** A session of the user, with times as text. */
interface SessionData {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly device: string;
  readonly isCurrent: boolean;
}

/** Flash messages by their name in the URL. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["name", "Name saved."],
  ["email", "Confirmation link sent. Open it to change your email address."],
  ["email-unsent", "This server sends no email. Ask an administrator to change your address."],
  ["password", "Password changed. You are signed out in all other browsers."],
  ["session", "Session ended."],
  ["calls", "Video calls connected. You can now start calls."],
  ["theme", "Theme saved in this browser."],
  ["timezone", "Time zone saved."],
]);
/** Fields whose values return to a refused form. */
const TYPED = ["full_name", "email"];

/** Formats days, which are those of UTC. */
const UTC = createFormatter({ language: "en", timeZone: "" });

/** Loads the page; redirects visitors who are not signed in to the sign-in page and back. */
export async function loadAccount(ctx: Context<State>): Promise<Response | AccountData> {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return sendOn(ctx, "/login?next=%2Faccount");
  const done = ctx.url.searchParams.get("done") ?? "";
  const account = await toAccount(ctx, signedIn);
  const notice = NOTICES.get(done === "email" && !account.hasMail ? "email-unsent" : done);
  return {
    ...account,
    notice: notice === undefined ? null : { kind: "good", text: notice },
  };
}

/** Runs the action of a submitted form. */
export async function submitAccount(ctx: Context<State>): Promise<Response | PageOutcome<AccountData>> {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return sendOn(ctx, "/login?next=%2Faccount");
  const fields = await readRealmForm(ctx, signedIn.realm);
  const action = ACCOUNT_ACTIONS.get(fields.get("action") ?? "");
  if (action === undefined) throw new AppError("BAD_REQUEST", "Unknown form action.");
  try {
    const outcome = await action.run({ ctx, signedIn, fields });
    return outcome instanceof Response ? outcome : await showOutcome(ctx, signedIn, outcome);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The other forms keep what is stored.
    const typed = Object.fromEntries([...fields].filter(([name]) => TYPED.includes(name)));
    const data = {
      ...await toAccount(ctx, signedIn),
      typed,
      problems: { [action.fields?.[error.field ?? ""] ?? action.field]: toPageProblem(error) },
    };
    return refusedPage(data, error);
  }
}

async function showOutcome(ctx: Context<State>, signedIn: SignedIn, { shownKey, text }: AccountOutcome) {
  const account = await toAccount(ctx, signedIn);
  const notice = { kind: "good", text } as const;
  return { data: { ...account, apiKey: { ...account.apiKey, shown: shownKey }, notice }, status: 200 };
}

async function toAccount(ctx: Context<State>, { realm, session }: SignedIn): Promise<AccountData> {
  const { chat } = ctx.state.app;
  const { user } = session;
  const sessions = await listSessions(chat, realm, user);
  const lastUsed = await readKeyUseDay(chat, realm.id, user);
  const formatter = createFormatter({ language: "en", timeZone: user.timezone });
  return {
    organization: realm.name,
    icon: realm.icon,
    adminPath: findAdminPath(await readOpenPages(chat, user, realm)),
    user: {
      fullName: user.full_name,
      email: user.delivery_email,
      role: user.role,
      pendingEmail: await readPendingEmail(chat, realm.id, user),
    },
    apiKey: { shown: null, lastUsed: lastUsed === null ? null : UTC.date(lastUsed * DAY_MS) },
    sessions: sessions.map((listed) => toSessionData(listed, session.id, formatter)),
    notice: null,
    problems: {},
    typed: {},
    canChangeName: canChangeName(realm, user),
    canChangeEmail: canChangeEmail(realm, user),
    hasMail: chat.config.isMailDelivered,
    theme: readTheme(ctx.req, ctx.state.app.isHttps),
    timeZone: user.timezone,
    // A zone chosen by a former name stays selected.
    timeZones: [...new Set([...TIME_ZONES, user.timezone])].filter((name) => name !== "").sort(),
  };
}

function toSessionData(
  { id, record }: LiveSession,
  currentId: string,
  formatter: Formatter,
): SessionData {
  return {
    id,
    createdAt: formatter.moment(record.created_at),
    lastUsedAt: formatter.moment(record.last_used_at),
    device: describeDevice(record.user_agent),
    isCurrent: id === currentId,
  };
}
