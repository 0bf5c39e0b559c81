import { chunk } from "es-toolkit/array/chunk";
import { z } from "zod";
import { hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { draftKeys, type DraftList, draftsSchema, listDrafts } from "@/lib/chat/messages/drafts.ts";
import { toVisibleMessage } from "@/lib/chat/messages/access.ts";
import { type ConversationRecord, messageKeys } from "@/lib/chat/messages/model.ts";
import { findMessages, type ScanBudget } from "@/lib/chat/messages/read/find_messages.ts";
import { findNewestId, readMessage } from "@/lib/chat/messages/store.ts";
import { listIds } from "@/lib/store/reads.ts";
import { listReminders, MAX_REMINDER_NOTE, remindersSchema } from "@/lib/chat/messages/reminders.ts";
import {
  listScheduledMessages,
  scheduledMessagesSchema,
} from "@/lib/chat/messages/scheduled_messages/api.ts";
import { readSubscriptions } from "./channels.ts";
import { type StateContext, statePart } from "./model.ts";

/** Number of the newest direct messages whose conversations are returned. */
const MAX_DIRECT_MESSAGES = 1000;
/** Messages that are read in parallel. */
const PARALLEL = 100;

/** Number of the organization's newest messages among which that of the caller is searched first. */
const MAX_NEWEST = 100;
/** Channels whose newest message is looked up in parallel. */
const CHANNELS_AHEAD = 50;

/**
 * The newest message that the caller sent, or received where they still have access to it. It is usually among the
 * newest of all; otherwise the newest of each index that holds the caller's messages are compared.
 */
export const lastMessage = statePart(
  "message",
  z.object({ max_message_id: z.int().meta({ description: "-1 when there is none." }) }),
  async (context) => {
    const { app, realm, user } = context;
    const [received, sent] = await Promise.all([
      findNewestReceived(context),
      findNewestId(app, messageKeys.sentBy(realm.id, user.id)),
    ]);
    return { max_message_id: Math.max(received, sent ?? -1) };
  },
);

async function findNewestReceived(context: StateContext): Promise<number> {
  const { app, permissions, user } = context;
  const budget: ScanBudget = { left: MAX_NEWEST };
  const scan = { from: Number.MAX_SAFE_INTEGER - 1, isAscending: false };
  for await (
    const { message } of findMessages(app, permissions, { query: { user, terms: [], budget }, scan })
  ) {
    return message.id;
  }
  return budget.left < 0 ? Math.max(-1, ...await listNewestReceived(context)) : -1;
}

/** Lists the newest direct message of the caller and, for each of their channels, the newest that they received. */
async function listNewestReceived(context: StateContext): Promise<number[]> {
  const { app, realm, permissions, user } = context;
  const [{ byId }, subscriptions, direct] = await Promise.all([
    readChannelList(app, realm.id),
    context.share(readSubscriptions),
    findNewestId(app, messageKeys.directOf(realm.id, user.id)),
  ]);
  const ids = direct === null ? [] : [direct];
  for (const batch of chunk([...subscriptions], CHANNELS_AHEAD)) {
    const newest = batch.map(async ([id, { is_active: isSubscribed, periods }]) => {
      const channel = byId.get(id);
      const hasAccess = channel !== undefined &&
        hasContentAccess(permissions, { channel, user, isSubscribed });
      return hasAccess ? await findNewestId(app, messageKeys.ofChannel(realm.id, id), periods) : null;
    });
    ids.push(...(await Promise.all(newest)).filter((id) => id !== null));
  }
  return ids;
}

const conversationsSchema = z.object({
  recent_private_conversations: z.array(z.object({
    max_message_id: z.int(),
    user_ids: z.array(z.int()).meta({
      description: "The other participants, ascending; empty for messages to oneself.",
    }),
  })).meta({
    description: `Conversations of the newest ${MAX_DIRECT_MESSAGES} direct messages, the latest first.`,
  }),
});

export const recentConversations = statePart(
  "recent_private_conversations",
  conversationsSchema,
  async (context) => {
    const { app, realm, user } = context;
    const newest = await readNewest(context);
    const listed = Array.from(newest, async ([id, max_message_id]) => {
      const conversation = await app.reads.read<ConversationRecord>(
        messageKeys.conversation(realm.id, id),
      );
      const user_ids = conversation?.user_ids.filter((participant) => participant !== user.id) ?? [];
      return { max_message_id, user_ids };
    });
    return { recent_private_conversations: await Promise.all(listed) };
  },
);

/** Returns the id of the newest message of each conversation, the latest first. */
async function readNewest({ app, realm, user }: StateContext): Promise<ReadonlyMap<number, number>> {
  const prefix = [...messageKeys.directOf(realm.id, user.id)];
  const ids = await listIds(app, { prefix }, { reverse: true, limit: MAX_DIRECT_MESSAGES, batchSize: 500 });
  const newest = new Map<number, number>();
  for (const message of await Promise.all(ids.map((id) => readMessage(app, realm.id, id)))) {
    const id = message?.conversation_id ?? null;
    if (message !== null && id !== null && !newest.has(id)) newest.set(id, message.id);
  }
  return newest;
}

const starredSchema = z.object({
  starred_messages: z.array(z.int()).meta({
    description: "Ids, ascending, without messages that the caller can no longer access.",
  }),
});

export const starredMessages = statePart("starred_messages", starredSchema, async (context) => {
  const { app, realm, permissions, user } = context;
  const ids = await listIds(app, { prefix: [...messageKeys.starred(realm.id, user.id)] });
  const starred_messages: number[] = [];
  for (const batch of chunk(ids, PARALLEL)) {
    const isVisible = await Promise.all(batch.map(async (id) => {
      const message = await readMessage(app, realm.id, id);
      return message !== null && await toVisibleMessage(app, permissions, { message, user }) !== null;
    }));
    starred_messages.push(...batch.filter((_, index) => isVisible[index]));
  }
  return { starred_messages };
});

const ownDraftsSchema = z.object({
  drafts: draftsSchema.shape.drafts.meta({
    description: "The most recently edited first; empty when the account does not synchronize drafts.",
  }),
});

export const drafts = statePart("drafts", ownDraftsSchema, async ({ app, realm, user }) => {
  const list = await app.reads.read<DraftList>(draftKeys.list(realm.id, user.id));
  // Listing drafts is an error when they are not synchronized; registering is not.
  if (list === null || list.is_off) return { drafts: [] };
  return { drafts: (await listDrafts(app, { realm, actingUser: user })).reverse() };
});

export const scheduledMessages = statePart(
  "scheduled_messages",
  scheduledMessagesSchema,
  ({ app, realm, user }) => listScheduledMessages(app, { realm, actingUser: user }),
);

const ownRemindersSchema = remindersSchema.extend({
  max_reminder_note_length: z.int().meta({ description: "In code points." }),
});

export const reminders = statePart("reminders", ownRemindersSchema, async ({ app, realm, user }) => ({
  ...await listReminders(app, { realm, actingUser: user }),
  max_reminder_note_length: MAX_REMINDER_NOTE,
}));
