import type { Context } from "fresh";
import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { hasChannelPermission, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { sendMessageParams, toClientName } from "@/lib/chat/messages/api.ts";
import { postMessage, requireMessageContent } from "@/lib/chat/messages/send_message.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { parseTopic } from "@/lib/chat/channels/topics/model.ts";
import { type Role, toApiEmail } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { ALIASED_FIELDS, type ConnectionValues, KEY_PLACEHOLDER } from "@/lib/ui/client_programs.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import { readRealmForm, readSignedIn, sendOn, type SignedIn } from "../api/page_session.ts";
import { consumeLimits } from "../api/request_limits.ts";
import type { State } from "../services/services.ts";
import { ACCOUNT_ACTIONS, type AccountForm } from "./account_actions.ts";
import {
  findProblems,
  type FormProblems,
  type PageOutcome,
  refusedPage,
  toPageProblem,
} from "./form_problems.ts";
import { findAdminPath, readOpenPages } from "./open_pages.ts";

/** Data of the page that connects an app. */
export interface ConnectData {
  readonly organization: string;
  readonly icon: RealmRecord["icon"];
  /** First admin page that the user may open; null for none. */
  readonly adminPath: string | null;
  readonly user: { readonly fullName: string; readonly role: Role };
  /** Values for the steps of programs; the key is a placeholder until it is shown. */
  readonly values: ConnectionValues;
  readonly apiKey: {
    readonly shown: string | null;
    /** Day of UTC on which the key was last used; null without a recorded use. */
    readonly lastUsed: string | null;
  };
  /** Whether the user has just joined. */
  readonly isWelcome: boolean;
  /** Whether the address leads nowhere on other devices. */
  readonly isLocal: boolean;
  /** Whether the server has the other names of fields that some programs need. */
  readonly hasAliases: boolean;
  /** Channels that the user is subscribed to and may post in. */
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly message: MessageForm;
  readonly notice: string | null;
  readonly problems: FormProblems;
}

interface MessageForm {
  readonly channel: string;
  readonly topic: string;
  readonly content: string;
}

const FIRST_MESSAGE: MessageForm = { channel: "", topic: "hello", content: "Hello! I am here now." };
const LOCAL_HOST = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;
/** Actions of the account page that this page has, too. */
const KEY_ACTIONS = ["show_key", "download_key"];
const UTC = createFormatter({ language: "en", timeZone: "" });

/** Loads the page; redirects visitors who are not signed in to the sign-in page and back. */
export async function loadConnect(ctx: Context<State>): Promise<Response | ConnectData> {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return toLogin(ctx);
  const { searchParams } = ctx.url;
  const data = await toConnect(ctx, signedIn);
  const sentTo = data.channels.find(({ id }) => id === searchParams.get("sent"));
  return {
    ...data,
    isWelcome: searchParams.has("joined"),
    notice: sentTo === undefined ? null : `Message sent to #${sentTo.name}.`,
  };
}

/** Runs the action of a submitted form. */
export async function submitConnect(ctx: Context<State>): Promise<Response | PageOutcome<ConnectData>> {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return toLogin(ctx);
  const fields = await readRealmForm(ctx, signedIn.realm);
  const form = { ctx, signedIn, fields };
  const action = fields.get("action") ?? "";
  if (action === "send_message") return await sendFirstMessage(form);
  if (KEY_ACTIONS.includes(action)) return await openKey(form, action);
  throw new AppError("BAD_REQUEST", "Unknown form action.");
}

function toLogin(ctx: Context<State>): Response {
  return sendOn(ctx, `/login?next=${encodeURIComponent(ctx.url.pathname + ctx.url.search)}`);
}

async function openKey(form: AccountForm, action: string): Promise<Response | PageOutcome<ConnectData>> {
  const { ctx, signedIn } = form;
  try {
    const outcome = await ACCOUNT_ACTIONS.get(action)?.run(form);
    if (outcome === undefined || outcome instanceof Response) return outcome ?? toLogin(ctx);
    const data = await toConnect(ctx, signedIn);
    const shown = outcome.shownKey;
    const values = { ...data.values, key: shown };
    return {
      data: { ...data, values, apiKey: { ...data.apiKey, shown }, notice: outcome.text },
      status: 200,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const data = await toConnect(ctx, signedIn);
    return refusedPage({ ...data, problems: { password: toPageProblem(error) } }, error);
  }
}

/** Sends the message as `POST /messages` does, and counts it towards the same limits. */
async function sendFirstMessage(form: AccountForm): Promise<Response | PageOutcome<ConnectData>> {
  const { ctx, signedIn: { realm, session: { user } }, fields } = form;
  const message = {
    channel: fields.get("channel") ?? "",
    topic: fields.get("topic") ?? "",
    content: fields.get("content") ?? "",
  };
  const data = { ...await toConnect(ctx, form.signedIn), message };
  try {
    await consumeLimits(ctx, { realm, user });
    const problems = await findMessageProblems(data);
    if (Object.keys(problems).length > 0) return { data: { ...data, problems }, status: 400 };
    const sent = new Map([["type", "channel"], ["to", message.channel], ...Object.entries(message)]);
    sent.delete("channel");
    const client = toClientName(ctx.req.headers.get("user-agent"));
    const { values } = readParams(sendMessageParams, sent);
    await postMessage(ctx.state.app.chat, { realm, sender: user, client }, values);
    return sendOn(ctx, `/connect?sent=${message.channel}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedPage({ ...data, problems: { [fieldOf(error)]: toPageProblem(error) } }, error);
  }
}

async function findMessageProblems({ channels, message }: ConnectData): Promise<FormProblems> {
  return await findProblems({
    channel: () => {
      if (channels.some(({ id }) => id === message.channel)) return;
      throw new AppError("BAD_REQUEST", "Choose one of your channels.");
    },
    topic: () => parseTopic(message.topic, "Topic"),
    content: () => requireMessageContent(message.content),
  });
}

/** Returns the field of a refusal that only sending finds. */
function fieldOf({ field }: AppError): string {
  return field === "content" || field === "topic" ? field : "channel";
}

async function toConnect(ctx: Context<State>, { realm, session }: SignedIn): Promise<ConnectData> {
  const { chat, config } = ctx.state.app;
  const { user } = session;
  const address = realmUrl(chat, realm);
  const lastUsed = await readKeyUseDay(chat, realm.id, user);
  const login = toApiEmail(chat, realm, user);
  return {
    organization: realm.name,
    icon: realm.icon,
    adminPath: findAdminPath(await readOpenPages(chat, user, realm)),
    user: { fullName: user.full_name, role: user.role },
    values: { address, email: user.delivery_email, login, key: KEY_PLACEHOLDER },
    apiKey: { shown: null, lastUsed: lastUsed === null ? null : UTC.date(lastUsed * DAY_MS) },
    isWelcome: false,
    isLocal: LOCAL_HOST.test(new URL(address).hostname),
    hasAliases: ALIASED_FIELDS.every((field) => field in config.compatibilityAliases),
    channels: await listOwnChannels(ctx, { realm, session }),
    message: FIRST_MESSAGE,
    notice: null,
    problems: {},
  };
}

async function listOwnChannels(ctx: Context<State>, { realm, session: { user } }: SignedIn) {
  const { chat } = ctx.state.app;
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  return (await listVisibleChannels(chat, permissions, user))
    .filter((viewer) =>
      viewer.isSubscribed && !viewer.channel.is_archived && hasContentAccess(permissions, viewer) &&
      hasChannelPermission(permissions, viewer, "can_send_message_group")
    )
    .map(({ channel: { id, name } }) => ({ id: String(id), name }));
}
