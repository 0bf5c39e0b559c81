import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { groupSettingSchema } from "@/lib/chat/permissions/model/group_setting.ts";
import { PERMISSIONS } from "@/lib/chat/permissions/model/registry.ts";
import { TOPICS_POLICIES } from "../model/channel.ts";

/** A channel as the API returns it. */
export const channelSchema = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string().meta({ description: "HTML." }),
  creator_id: z.int().nullable(),
  date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
  invite_only: z.boolean().meta({ description: "Whether the channel is private." }),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable().meta({
    description: "Null follows the organization's setting; -1 keeps messages forever.",
  }),
  first_message_id: z.int().nullable(),
  folder_id: z.int().nullable(),
  is_archived: z.boolean(),
  is_recently_active: z.boolean(),
  subscriber_count: z.int(),
  stream_weekly_traffic: z.int().nullable(),
  topics_policy: z.literal([...TOPICS_POLICIES]),
  ...mapValues(PERMISSIONS.channel, () => groupSettingSchema),
  stream_post_policy: z.int().meta({ description: "For older clients: the nearest of the former policies." }),
  is_announcement_only: z.boolean().meta({
    description: "For older clients: whether `stream_post_policy` is administrators only.",
  }),
}).meta({ id: "Channel" });

/** Response with a list of channels; `is_default` is present on request. */
export const channelsSchema = z.object({
  streams: z.array(
    channelSchema.extend({ is_default: z.boolean().optional() }).meta({ id: "ListedChannel" }),
  ),
});

/** Response with one channel. */
export const oneChannelSchema = z.object({ stream: channelSchema });

/** Response with the id of a new channel. */
export const createdChannelSchema = z.object({ id: z.int() });

/** Response with a channel's id. */
export const channelIdSchema = z.object({ stream_id: z.int() });
