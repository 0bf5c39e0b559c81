import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { apiEmail } from "../users/email.ts";
import { requireFullName } from "../users/full_name.ts";
import { putUser } from "../users/store.ts";
import { isBot, type Role, userKeys, type UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { type AccountChange, changeFullName, changeRole } from "./change_account.ts";
import { getBot } from "./get_bot.ts";
import { noteAccountChange } from "./note_account.ts";
import { getActor, requireMayAdminister, requireMayGrant } from "./rights.ts";
import { tellOfNewOwner } from "./tell_of_bot.ts";
import { toBotPicture } from "./view.ts";

/** What is to be other than it is; undefined leaves a thing alone. */
export interface BotChanges {
  readonly full_name: string | undefined;
  readonly role: Role | undefined;
  readonly bot_owner_id: number | undefined;
}

/**
 * Changes a bot for its owner or an administrator, and gives what it is afterwards.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateBot(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { id, changes }: { id: number; changes: BotChanges },
) {
  return await transact(app.store, async (tx) => {
    const change = { app, tx, realm };
    const actor = await getActor(tx, realm.id, actingUser);
    const before = await getBot(tx, realm.id, id);
    let bot = before;
    requireMayAdminister(actor, bot);
    if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    const { full_name, role, bot_owner_id } = changes;
    if (full_name !== undefined) bot = await changeFullName(change, bot, requireFullName(full_name));
    if (role !== undefined && role !== bot.role) {
      requireMayGrant(actor, { target: bot, role });
      bot = await changeRole(change, bot, role);
    }
    if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
      bot = await changeOwner(change, bot, bot_owner_id);
    }
    noteAccountChange(change, actor, { before, after: bot });
    return { full_name: bot.full_name, ...toBotPicture(app, realm, bot), ...await ownerOf(change, bot) };
  }, accountQueue(realm.id));
}

async function ownerOf({ app, tx, realm }: AccountChange, bot: UserRecord): Promise<{ bot_owner?: string }> {
  const key = userKeys.user(realm.id, bot.bot_owner_id ?? 0);
  const owner = await tx.peek<UserRecord>(key);
  return owner === null ? {} : { bot_owner: apiEmail(app, realm, owner) };
}

async function changeOwner(
  change: AccountChange,
  bot: UserRecord,
  ownerId: number,
): Promise<UserRecord> {
  const { tx, realm } = change;
  requireMayOwn(Number.isSafeInteger(ownerId) ? await tx.get(userKeys.user(realm.id, ownerId)) : null);
  const changed = { ...bot, bot_owner_id: ownerId };
  await putUser(tx, realm.id, changed);
  await tellOfNewOwner(change, { before: bot, bot: changed });
  return changed;
}

function requireMayOwn(owner: UserRecord | null): void {
  if (owner === null) throw new AppError("BAD_REQUEST", "Failed to change owner, no such user");
  if (!owner.is_active) throw new AppError("BAD_REQUEST", "Failed to change owner, user is deactivated");
  if (isBot(owner)) throw new AppError("BAD_REQUEST", "Failed to change owner, bots can't own other bots");
}
