import { announceChannelChanges } from "@/lib/chat/announcements/announce_channel.ts";
import { updateChannelParams } from "@/lib/chat/channels/api.ts";
import { applyArchiving, applyChannelUpdate } from "@/lib/chat/channels/update_channel.ts";
import { readChannelValues } from "@/lib/chat/channels/events.ts";
import { channelKeys, type ChannelRecord, UNLIMITED_RETENTION } from "@/lib/chat/channels/model/channel.ts";
import { readDefaultChannelIds } from "@/lib/chat/channels/store.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { FieldValues } from "../model.ts";
import { pickChanged, type Reversal, type RevertContext, targetId, toParams } from "./reversal.ts";

/** Names under which a request sends properties. */
const SENT_NAMES: Readonly<Record<string, string>> = {
  name: "new_name",
  invite_only: "is_private",
  is_default: "is_default_stream",
};

/** Reverts changes of a channel's settings and permissions, archiving and restoring. */
export const channelReversal: Reversal = {
  async read(context) {
    const { app, tx, realm } = context;
    const channel = await readChannel(context);
    if (channel === null) return null;
    const permissions = await readPermissionContext(app, tx, realm.id);
    const is_default = (await readDefaultChannelIds(tx, realm.id)).includes(channel.id);
    const { is_archived } = channel;
    return pickChanged(context, { ...readChannelValues(permissions, channel), is_archived, is_default });
  },
  async apply(context, earlier) {
    const { app, realm, actingUser } = context;
    const channelId = targetId(context);
    if (earlier["is_archived"] === true) {
      await applyArchiving(context, channelId);
      return null;
    }
    const sent = toSent(await readChannel(context), earlier);
    const changes = toParams(updateChannelParams, sent);
    const changed = await applyChannelUpdate(context, { channelId, changes });
    return () => announceChannelChanges(app, { realm, actingUser }, changed);
  },
};

async function readChannel(context: RevertContext): Promise<ChannelRecord | null> {
  const id = targetId(context);
  return Number.isSafeInteger(id)
    ? await context.tx.get<ChannelRecord>(channelKeys.channel(context.realm.id, id))
    : null;
}

/** Returns values as a request sends them. */
function toSent(channel: ChannelRecord | null, earlier: FieldValues): FieldValues {
  const sent = Object.fromEntries(
    Object.entries(earlier).map(([name, value]) => [
      SENT_NAMES[name] ?? name,
      name === "message_retention_days" ? toSentRetention(value) : value,
    ]),
  );
  // Without it, the history would follow from the privacy.
  return "is_private" in sent && channel !== null
    ? { history_public_to_subscribers: channel.history_public_to_subscribers, ...sent }
    : sent;
}

function toSentRetention(days: unknown): unknown {
  return days === null ? "realm_default" : days === UNLIMITED_RETENTION ? "unlimited" : days;
}
