import { z } from "zod";
import {
  bool,
  described,
  int,
  intList,
  json,
  optional,
  type ParamValues,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "../params/param.ts";
import { MAX_CHANNEL_DESCRIPTION, MAX_CHANNEL_NAME, TOPICS_POLICIES } from "./channel.ts";
import { newPermissionParams, permissionUpdateParams } from "./permission_params.ts";

const NAME = `The channel's name, of ${MAX_CHANNEL_NAME} characters at most.`;
const DESCRIPTION = "What the channel is for; line breaks become blanks.";
const RETENTION = "Days after which messages are deleted, `realm_default` or `unlimited`. Owners only.";
const FOLDER = "The folder that the channel is in; null is none.";
const POLICY = "Which topics the channel takes.";
const HISTORY =
  "Whether subscribers read what was written before they came. False for private channels alone.";

/** A pattern in front, for its refusal names the parameter and nothing else. */
const topicsPolicy = textOrJson(
  z.string().regex(new RegExp(`^(${TOPICS_POLICIES.join("|")})$`)).pipe(z.literal([...TOPICS_POLICIES])),
);
const retention = textOrJson(z.union([z.number(), z.string()]));
const folder = json(z.int().nullable());

/** What a new channel takes. */
export const createChannelParams = {
  name: described(trimmed({ min: 1 }), NAME),
  description: described(withDefault(text({ max: MAX_CHANNEL_DESCRIPTION }), ""), DESCRIPTION),
  subscribers: described(
    intList(),
    "Who is subscribed at once, by their ids; nobody else is, the maker neither.",
  ),
  announce: described(withDefault(bool(), false), "Whether the organization is told of the new channel."),
  invite_only: described(withDefault(bool(), false), "Whether the channel is private."),
  is_web_public: described(withDefault(bool(), false), "Whether it can be read without an account."),
  is_default_stream: described(
    withDefault(bool(), false),
    "Whether new accounts are subscribed. Administrators only.",
  ),
  folder_id: described(withDefault(folder, null), FOLDER),
  topics_policy: described(withDefault(topicsPolicy, "inherit"), POLICY),
  history_public_to_subscribers: described(optional(bool()), HISTORY),
  message_retention_days: described(withDefault(retention, "realm_default"), RETENTION),
  ...newPermissionParams,
};

/** A new channel as it was sent. */
export type NewChannel = ParamValues<typeof createChannelParams>;

/** What a change of a channel takes, all of which may be left out. */
export const updateChannelParams = {
  description: described(optional(text({ max: MAX_CHANNEL_DESCRIPTION })), DESCRIPTION),
  new_name: described(optional(trimmed()), NAME),
  is_private: described(optional(bool()), "Whether the channel is private; its history goes along."),
  is_web_public: described(optional(bool()), "Whether it can be read without an account."),
  history_public_to_subscribers: described(optional(bool()), HISTORY),
  is_default_stream: described(
    optional(bool()),
    "Whether new accounts are subscribed. Administrators only.",
  ),
  message_retention_days: described(optional(retention), RETENTION),
  is_archived: described(
    optional(bool()),
    "False takes an archived channel back into use; true changes nothing.",
  ),
  folder_id: described(optional(folder), FOLDER),
  topics_policy: described(optional(topicsPolicy), POLICY),
  ...permissionUpdateParams,
};

/** A change of a channel as it was sent. */
export type ChannelChanges = Partial<ParamValues<typeof updateChannelParams>>;

/** What the list of channels takes. */
export const listChannelsParams = {
  include_public: described(
    withDefault(bool(), true),
    "Whether public channels are listed; guests get none.",
  ),
  include_web_public: described(withDefault(bool(), false), "Whether channels open to the web are listed."),
  include_subscribed: described(withDefault(bool(), true), "Whether your own channels are listed."),
  exclude_archived: described(withDefault(bool(), true), "Whether archived channels are left out."),
  include_all: described(
    withDefault(bool(), false),
    "Whether every channel of the organization is listed. Administrators only.",
  ),
  include_default: described(
    withDefault(bool(), false),
    "Whether each channel tells if new accounts are subscribed to it.",
  ),
  include_owner_subscribed: described(
    withDefault(bool(), false),
    "For bots: whether the owner's channels are listed too, as far as the bot may know of them.",
  ),
  include_can_access_content: described(
    withDefault(bool(), false),
    "Whether every channel is listed that you may read.",
  ),
};

/** Which channels are wanted. */
export type ChannelFilter = ParamValues<typeof listChannelsParams>;

/** What the search for a channel's id takes. */
export const channelIdParams = { stream: described(text(), "The channel's name, in any case.") };

/** What a change of the default channels takes. */
export const defaultChannelParams = { stream_id: described(int(), "The channel.") };
