import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type Caller,
  type ChangeContext,
  isBot,
  OUTGOING_WEBHOOK_BOT,
  requireCanAssignRole,
  requireCanManageUser,
  requireFullName,
  type Role,
  toApiEmail,
  userKeys,
  type UserRecord,
} from "../users/model.ts";
import { getActingUser, putUser } from "../users/store.ts";
import { setUserFullName, setUserRole } from "../users/change_user.ts";
import { getBot } from "./store.ts";
import { auditUserChanges } from "../users/events.ts";
import { requireOutgoingWebhook } from "../webhooks/model.ts";
import { sendBotEvents, sendBotOwnerEvents } from "./events.ts";
import { toBotServices, toCommonBotFields } from "./api.ts";

/** Changes of a bot; undefined leaves a property unchanged. */
export interface BotChanges {
  readonly full_name: string | undefined;
  readonly role: Role | undefined;
  readonly bot_owner_id: number | undefined;
  /** Address of an outgoing webhook bot. */
  readonly service_payload_url?: string | undefined;
  readonly service_interface?: number | undefined;
}

/**
 * Updates a bot for its owner or an administrator and returns its new state.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateBot(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { id, changes }: { id: number; changes: BotChanges },
) {
  return await transact(app.store, async (tx) => {
    const context = { app, tx, realm };
    const actor = await getActingUser(tx, realm.id, actingUser);
    const before = await getBot(tx, realm.id, id);
    let bot = before;
    requireCanManageUser(actor, bot);
    if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    const { full_name, role, bot_owner_id } = changes;
    bot = await setOutgoingWebhook(context, bot, changes);
    if (full_name !== undefined && full_name !== bot.full_name) {
      bot = await setUserFullName(context, bot, requireFullName(full_name));
    }
    if (role !== undefined && role !== bot.role) {
      requireCanAssignRole(actor, { target: bot, role });
      bot = await setUserRole(context, bot, role);
    }
    if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
      bot = await changeOwner(context, bot, bot_owner_id);
    }
    auditUserChanges(context, actor, { before, after: bot });
    return {
      full_name: bot.full_name,
      ...toCommonBotFields(app, realm, bot),
      ...await readOwnerEmail(context, bot),
    };
  });
}

/** Changes the address of an outgoing webhook bot. */
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

async function readOwnerEmail(
  { app, tx, realm }: ChangeContext,
  bot: UserRecord,
): Promise<{ bot_owner?: string }> {
  const key = userKeys.user(realm.id, bot.bot_owner_id ?? 0);
  const owner = await tx.peek<UserRecord>(key);
  return owner === null ? {} : { bot_owner: toApiEmail(app, realm, owner) };
}

/** Gives a bot another owner; a bot with more rights than its new owner gets the owner's role. */
async function changeOwner(
  context: ChangeContext,
  bot: UserRecord,
  ownerId: number,
): Promise<UserRecord> {
  const { tx, realm } = context;
  const key = userKeys.user(realm.id, ownerId);
  const owner = requireCanOwnBots(Number.isSafeInteger(ownerId) ? await tx.get(key) : null);
  const changed = { ...bot, bot_owner_id: ownerId };
  await putUser(tx, realm.id, changed);
  await sendBotOwnerEvents(context, { before: bot, bot: changed });
  return owner.role > changed.role ? await setUserRole(context, changed, owner.role) : changed;
}

function requireCanOwnBots(owner: UserRecord | null): UserRecord {
  if (owner === null) {
    throw new AppError("BAD_REQUEST", "Failed to change owner, no such user", { field: "bot_owner_id" });
  }
  if (!owner.is_active) {
    throw new AppError("BAD_REQUEST", "Failed to change owner, user is deactivated", {
      field: "bot_owner_id",
    });
  }
  if (isBot(owner)) {
    throw new AppError("BAD_REQUEST", "Failed to change owner, bots can't own other bots", {
      field: "bot_owner_id",
    });
  }
  return owner;
}
