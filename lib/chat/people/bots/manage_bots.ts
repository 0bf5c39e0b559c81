import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { deriveApiKey, rotateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { realmHost } from "@/lib/chat/organization/organizations/model.ts";
import { setUserFullName, setUserRole } from "@/lib/chat/people/users/change_user.ts";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import { auditUser, auditUserChanges } from "@/lib/chat/organization/users/events.ts";
import {
  BOT_TYPES,
  type BotType,
  type Caller,
  isBot,
  OUTGOING_WEBHOOK_BOT,
  requireCanAssignRole,
  requireFullName,
  ROLE,
  type Role,
  toApiEmail,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { act, getManagedBot, readUser, readUsers } from "@/lib/chat/organization/users/store.ts";
import { ownedBots, putUser } from "@/lib/chat/people/put_user.ts";
import { deactivateAndAudit } from "@/lib/chat/people/users/update_user.ts";
import { requireOutgoingWebhook } from "@/lib/chat/people/webhooks.ts";
import { AppError } from "@/lib/core/errors.ts";
import {
  sendBotEvents,
  sendBotOwnerEvents,
  toBotServices,
  toCommonBotFields,
  toEventBot,
  toOwnBot,
} from "../users/bot_events.ts";

/** Types that users can create; embedded bots do not exist here. */
const ALLOWED_TYPES: readonly BotType[] = [1, 2, 3];
/** Leaves room for `-bot`: the local part of an address has at most 64 characters. */
const SHORT_NAME = /^[A-Za-z0-9._%+-]{1,60}$/;

interface NewBot {
  readonly full_name: string;
  readonly short_name: string;
  readonly bot_type: number;
  /** Address of an outgoing webhook bot; ignored for other types. */
  readonly payload_url?: string | undefined;
  readonly interface_type?: number | undefined;
}

/** @throws AppError BAD_REQUEST for an invalid or taken name, an unknown type, or too many bots. */
export async function createBot(app: ChatApp, caller: Caller, newBot: NewBot): Promise<UserRecord> {
  const type = ALLOWED_TYPES.find((allowed) => allowed === newBot.bot_type);
  if (type === undefined) throw new AppError("BAD_REQUEST", "Invalid bot type", { field: "bot_type" });
  if (type === OUTGOING_WEBHOOK_BOT && newBot.payload_url === undefined) {
    throw new AppError("BAD_REQUEST", "payload_url is not a URL", { field: "payload_url" });
  }
  return await act(app, caller, async (context) => {
    const user = await addBot(context, { owner: context.actingUser, newBot });
    auditUser(context, { user, action: "created" });
    return user;
  });
}

/**
 * Adds a bot of any type within a transaction. The bot is a member, or a guest if its owner is one.
 * @throws AppError BAD_REQUEST for an invalid or taken name, an unknown type, or too many bots.
 */
export async function addBot(
  context: ChangeContext,
  { owner, newBot }: { owner: UserRecord; newBot: NewBot },
): Promise<UserRecord> {
  const { app, tx, realm } = context;
  const type = BOT_TYPES.find((known) => known === newBot.bot_type);
  if (type === undefined) throw new AppError("BAD_REQUEST", "Invalid bot type", { field: "bot_type" });
  const shortName = newBot.short_name.trim();
  if (!SHORT_NAME.test(shortName)) {
    throw new AppError("BAD_REQUEST", "Bad name or username", { field: "short_name" });
  }
  const deliveryEmail = `${shortName}-bot@${realmHost(app, realm)}`;
  const fullName = requireFullName(newBot.full_name);
  if (await tx.get(userKeys.byEmail(realm.id, deliveryEmail)) !== null) {
    throw new AppError("BAD_REQUEST", "Username already in use", { field: "short_name" });
  }
  const role = owner.role > ROLE.member ? owner.role : ROLE.member;
  const { payload_url, interface_type = 1 } = newBot;
  const outgoingWebhook = type === OUTGOING_WEBHOOK_BOT && payload_url !== undefined
    ? requireOutgoingWebhook(app, { payload_url, interface_type })
    : undefined;
  const kind = { type, ownerId: owner.id, outgoingWebhook };
  const bot = await addUser(context, { deliveryEmail, fullName, role, passwordHash: null, bot: kind });
  await sendBotEvents(context, bot, { op: "add", bot: toEventBot(app, realm, bot) });
  return bot;
}

/** Changes of a bot; undefined leaves a property unchanged. */
interface BotChanges {
  readonly full_name: string | undefined;
  readonly role: Role | undefined;
  readonly bot_owner_id: number | undefined;
  /** Address of an outgoing webhook bot. */
  readonly service_payload_url?: string | undefined;
  readonly service_interface?: number | undefined;
}

interface BotUpdate {
  readonly id: number;
  readonly changes: BotChanges;
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function updateBot(app: ChatApp, caller: Caller, { id, changes }: BotUpdate) {
  return await act(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const before = await getManagedBot(context, id);
    let bot = before;
    const { full_name, role, bot_owner_id } = changes;
    bot = await setOutgoingWebhook(context, bot, changes);
    if (full_name !== undefined && full_name !== bot.full_name) {
      bot = await setUserFullName(context, bot, requireFullName(full_name));
    }
    if (role !== undefined && role !== bot.role) {
      requireCanAssignRole(actingUser, { target: bot, role });
      bot = await setUserRole(context, bot, role);
    }
    if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
      bot = await changeOwner(context, bot, bot_owner_id);
    }
    auditUserChanges(context, { before, after: bot });
    const owner = await tx.peek<UserRecord>(userKeys.user(realm.id, bot.bot_owner_id ?? 0));
    return {
      full_name: bot.full_name,
      ...toCommonBotFields(app, realm, bot),
      ...owner === null ? {} : { bot_owner: toApiEmail(app, realm, owner) },
    };
  });
}

async function setOutgoingWebhook(
  context: ChangeContext,
  bot: UserRecord,
  { service_payload_url, service_interface }: BotChanges,
): Promise<UserRecord> {
  if (service_payload_url === undefined && service_interface === undefined) return bot;
  if (bot.bot_type !== OUTGOING_WEBHOOK_BOT) {
    throw new AppError("BAD_REQUEST", "Only outgoing webhook bots have a payload URL", {
      field: "payload_url",
    });
  }
  const { app, tx, realm } = context;
  const outgoing_webhook = requireOutgoingWebhook(app, {
    payload_url: service_payload_url ?? bot.outgoing_webhook?.payload_url ?? "",
    interface_type: service_interface ?? 1,
  });
  if (outgoing_webhook.payload_url === bot.outgoing_webhook?.payload_url) return bot;
  const changed = { ...bot, outgoing_webhook };
  await putUser(tx, realm.id, changed);
  const services = toBotServices(changed);
  await sendBotEvents(context, changed, { op: "update", bot: { user_id: bot.id, services } });
  return changed;
}

/** Gives a bot another owner; a bot with more rights than its new owner gets the owner's role. */
async function changeOwner(context: ChangeContext, bot: UserRecord, ownerId: number): Promise<UserRecord> {
  const { tx, realm } = context;
  const key = userKeys.user(realm.id, ownerId);
  const owner = Number.isSafeInteger(ownerId) ? await tx.get<UserRecord>(key) : null;
  const refusal = owner === null
    ? "no such user"
    : !owner.is_active
    ? "user is deactivated"
    : isBot(owner)
    ? "bots can't own other bots"
    : null;
  if (owner === null || refusal !== null) {
    throw new AppError("BAD_REQUEST", `Failed to change owner, ${refusal}`, { field: "bot_owner_id" });
  }
  const changed = { ...bot, bot_owner_id: ownerId };
  await putUser(tx, realm.id, changed);
  await sendBotOwnerEvents(context, { before: bot, bot: changed });
  return owner.role > changed.role ? await setUserRole(context, changed, owner.role) : changed;
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function deactivateBot(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await act(app, caller, async (context) => {
    await deactivateAndAudit(context, { target: await getManagedBot(context, id) });
  });
}

/**
 * Returns the API key of a bot to its owner. Administrators can only regenerate the keys of others' bots: that
 * is audited, and the owner notices.
 * @throws AppError BAD_REQUEST.
 */
export async function getBotKey(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<{ api_key: string }> {
  const bot = await readUser(app, realm.id, id);
  if (bot === null || !isBot(bot)) throw new AppError("BAD_REQUEST", "No such bot");
  if (bot.bot_owner_id !== actingUser.id) throw new AppError("BAD_REQUEST", "Insufficient permission");
  if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return { api_key: deriveApiKey(app, realm.id, bot) };
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function regenerateBotKey(
  app: ChatApp,
  caller: Caller,
  id: number,
): Promise<{ api_key: string }> {
  return await act(app, caller, async (context) => {
    const user = await rotateApiKey(context, await getManagedBot(context, id));
    auditUser(context, { user, action: "key_reset" });
    return { api_key: deriveApiKey(app, caller.realm.id, user) };
  });
}

/** Returns the active bots the caller owns with their API keys, sorted by id. */
export async function listOwnBots(app: ChatApp, caller: Caller) {
  const { realm } = caller;
  const bots = await readUsers(app, realm.id, await ownedBots.read(app, caller));
  return Array.from(bots.values(), (bot) => toOwnBot(app, realm, bot));
}
