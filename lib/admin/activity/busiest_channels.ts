import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { listSubscribedChannelIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { rankChannels, type RankedChannels } from "@/lib/chat/organization/statistics/store.ts";
import { DAY_MS, dayOf } from "@/lib/core/days.ts";
import { readMany } from "@/lib/store/reads.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ChannelKind, kindOf } from "../pages/channels/channel_kind.ts";
import type { ChartSpan } from "../charts/time_chart.ts";

/** A channel and the number of messages that were sent to it. */
interface BusyChannel {
  readonly id: number;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly isArchived: boolean;
  readonly count: number;
}

/** The channels with most messages. */
export interface BusiestChannels {
  /** Most messages first; channels that the administrator cannot see are missing. */
  readonly channels: readonly BusyChannel[];
  /** First day that is counted, in milliseconds since 1970 UTC, if it is after the start; otherwise null. */
  readonly since: number | null;
}

/** Number of channels whose records are read at once. */
const BATCH = 50;

/**
 * Reads the channels with most messages that the administrator can see. Where there are more sums than are read, the
 * newest days count, and only whole ones.
 */
export async function readBusiestChannels(
  request: AdminRequest,
  span: ChartSpan,
  limit: number,
): Promise<BusiestChannels> {
  const range = { from: dayOf(span.start), to: dayOf(span.end - 1) };
  const { ranked, since } = await rankChannels(request.chat, request.realm.id, range);
  const channels = await listVisible(request, ranked, limit);
  return { channels, since: since === null ? null : since * DAY_MS };
}

async function listVisible(
  { chat, realm, user }: AdminRequest,
  ranked: RankedChannels["ranked"],
  limit: number,
): Promise<readonly BusyChannel[]> {
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const subscribed = await listSubscribedChannelIds(chat, realm.id, user.id);
  const visible: BusyChannel[] = [];
  for (let at = 0; at < ranked.length && visible.length < limit; at += BATCH) {
    const batch = ranked.slice(at, at + BATCH);
    const keys = batch.map(([id]) => channelKeys.channel(realm.id, id));
    const entries = await readMany<ChannelRecord>(chat.store.kv, keys);
    for (const [index, { value: channel }] of entries.entries()) {
      if (channel === null) continue;
      const viewer = { channel, user, isSubscribed: subscribed.has(channel.id) };
      if (!hasMetadataAccess(permissions, viewer)) continue;
      const { id, name, is_archived } = channel;
      visible.push({
        id,
        name,
        kind: kindOf(channel),
        isArchived: is_archived,
        count: batch[index]?.[1] ?? 0,
      });
    }
  }
  return visible.slice(0, limit);
}
