import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { postNotice } from "./notices.ts";
import {
  formatChannelLink,
  quoteMarkdown,
  silentMention,
} from "../organization/rendering/format_markdown.ts";
import type { ChatApp } from "../organization/app.ts";
import { channelKeys, type ChannelRecord, MAX_TOPIC } from "../organization/channels/model/channel.ts";
import { getVisibleMessage } from "./access.ts";
import type { VisibleMessage } from "./model.ts";
import type { RealmRecord } from "../organization/organizations/model.ts";
import { choice, described, optional, type ParamValues, trimmed } from "../organization/params/param.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { Caller, UserRecord } from "../organization/users/model.ts";
import { getActingUser, readUser } from "../organization/users/store.ts";

/** Reasons for which a message can be reported, with their names for users. */
export const REPORT_TYPES = [
  { key: "spam", name: "Spam" },
  { key: "harassment", name: "Harassment" },
  { key: "inappropriate", name: "Inappropriate content" },
  { key: "norms", name: "Violates community norms" },
  { key: "other", name: "Other reason" },
] as const;
/** Maximum number of reports of one account in a day (UTC). */
export const MAX_REPORTS_PER_DAY = 20;
/** Maximum length of the quoted message in code points; the report fits into a message with its fences. */
const MAX_QUOTE = 2000;

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Reports a message that the caller can see to the organization's moderators: the notification bot quotes it in
 * their private channel.
 * @throws AppError BAD_REQUEST for a message that the caller cannot see, without an explanation of another
 * reason, and when no private channel for reports is chosen; RATE_LIMIT_HIT for too many reports. A report that
 * was not sent does not count.
 */
export async function reportMessage(
  app: ChatApp,
  caller: Caller,
  { messageId, report_type: type, description = "" }:
    & ParamValues<typeof reportMessageParams>
    & { readonly messageId: number },
): Promise<void> {
  const permissions = permissionsOf(await app.readOrganization(caller.realm.id), app.clock);
  const visible = await getVisibleMessage(app, permissions, { id: messageId, user: caller.actingUser });
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const channel = await getModerationChannel(reads, permissions.realm);
  if (type === "other" && description === "") {
    throw new AppError("BAD_REQUEST", "An explanation is required for this reason.");
  }
  const sender = await readUser(app, caller.realm.id, visible.message.sender_id);
  const topic = channel.topics_policy === "empty_topic_only" ? "" : toTopic(sender);
  const text = formatReport(visible, { reporter: caller.actingUser, sender, type, description });
  const target = { kind: "channel", channel: channel.id, topic } as const;
  const claim = async (tx: Tx) => {
    await getModerationChannel(tx, permissions.realm);
    await countReport(app, tx, caller);
  };
  try {
    await postNotice(app, caller.realm, { target, text, claim });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BAD_REQUEST") throw error;
    throw new AppError("BAD_REQUEST", "The report could not be sent. Please contact a moderator.");
  }
}

/** Returns the channel for reports, which must be private: it shows messages to users who cannot see them. */
async function getModerationChannel(
  reads: Pick<Tx, "get">,
  { id, settings }: RealmRecord,
): Promise<ChannelRecord> {
  const channelId = settings.moderation_request_channel_id;
  const channel = channelId === null
    ? null
    : await reads.get<ChannelRecord>(channelKeys.channel(id, channelId));
  if (channel !== null && !channel.is_archived && channel.invite_only) return channel;
  throw new AppError(
    "BAD_REQUEST",
    "Moderation request channel must be specified to enable message reporting.",
  );
}

/** Counts a report of the caller; moderators are not flooded by one account. */
async function countReport(app: ChatApp, tx: Tx, { realm, actingUser }: Caller): Promise<void> {
  if (app.config.rateLimits === null) return;
  const seconds = app.clock.now() / 1000;
  const day = Math.floor(seconds / DAY_SECONDS);
  await getActingUser(tx, realm.id, actingUser);
  const key = [realm.id, "report_count", actingUser.id, day];
  const count = await tx.get<number>(key) ?? 0;
  if (count >= MAX_REPORTS_PER_DAY) {
    const message = "You have reported many messages today. Please try again tomorrow.";
    const retryAfter = Math.ceil((day + 1) * DAY_SECONDS - seconds);
    throw new AppError("RATE_LIMIT_HIT", message, { retryAfter });
  }
  tx.set(key, count + 1, { expireIn: 2 * DAY_SECONDS * 1000 });
}

function toTopic(sender: UserRecord | null): string {
  const suffix = "'s moderation requests";
  return [...(sender?.full_name ?? "")].slice(0, MAX_TOPIC - suffix.length).join("") + suffix;
}

function formatReport(
  { message, channel }: VisibleMessage,
  { reporter, sender, type, description }: {
    reporter: UserRecord;
    sender: UserRecord | null;
    type: string;
    description: string;
  },
): string {
  const { content } = message;
  const quote = codePointLength(content) > MAX_QUOTE
    ? `${[...content].slice(0, MAX_QUOTE - 1).join("")}…`
    : content;
  const author = sender === null ? "a former user" : silentMention(sender);
  const where = channel === null ? "in a direct message" : `in ${formatChannelLink(channel, message.topic)}`;
  const reason = REPORT_TYPES.find(({ key }) => key === type)?.name ?? type;
  return [
    `${silentMention(reporter)} reported message ${message.id} by ${author} ${where}.`,
    "",
    `* Reason: **${reason}**`,
    ...(description === "" ? [] : ["* Explanation:", quoteMarkdown(description)]),
    "",
    quoteMarkdown(quote),
  ].join("\n");
}

export const reportMessageParams = {
  report_type: described(choice(REPORT_TYPES.map(({ key }) => key)), "The reason."),
  description: described(
    optional(trimmed({ max: 1000 })),
    "An explanation for the moderators; required for the reason `other`.",
  ),
};

export const reportTypesSchema = z.object({
  server_report_message_types: z.array(z.object({ key: z.string(), name: z.string() })),
});
