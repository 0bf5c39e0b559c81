import { z } from "zod";
import { MAX_DEFAULT_CHANNELS } from "../channels/defaults.ts";
import { bool, described, intChoice, json, optional, text, withDefault } from "../params/param.ts";
import { ROLE, ROLES } from "../users/user.ts";

/** The longest text that greets those who join, in code points. */
const MAX_WELCOME = 8000;
/** Groups that an invitation names at most: an offer is one record of the store. */
const MAX_GROUPS = 500;
/** Some 190 years, so that no end lies beyond what a date can be. */
const MAX_MINUTES = 99_999_999;

const channelIds = described(
  json(z.array(z.int()).max(MAX_DEFAULT_CHANNELS)),
  "Ids of channels that those who join are subscribed to.",
);

const offerParams = {
  invite_expires_in_minutes: described(
    optional(json(z.int().min(-MAX_MINUTES).max(MAX_MINUTES).nullable())),
    "null never; without it, what the operator decided. 0 and less: it has expired from the start.",
  ),
  invite_as: described(withDefault(intChoice(ROLES), ROLE.member), "The role of those who join."),
  group_ids: described(
    withDefault(json<readonly number[]>(z.array(z.int()).max(MAX_GROUPS)), []),
    "Ids of groups that those who join come into.",
  ),
  include_realm_default_subscriptions: withDefault(bool(), false),
  welcome_message_custom_text: described(
    optional(text({ max: MAX_WELCOME })),
    "Markdown that greets those who join, from administrators alone. null: the organization's own; empty: none.",
  ),
};

/** The parameters of inviting addresses. */
export const createInvitesParams = {
  invitee_emails: described(
    text(),
    "Addresses, or names with addresses as in `Ada <ada@example.com>`, separated by commas, semicolons or line ends.",
  ),
  stream_ids: channelIds,
  ...offerParams,
  notify_referrer_on_join: withDefault(bool(), true),
};

/** The parameters of making a reusable link. */
export const createLinkParams = {
  stream_ids: withDefault<readonly number[]>(channelIds, []),
  ...offerParams,
};
