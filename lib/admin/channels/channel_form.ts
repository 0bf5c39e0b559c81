import { AppError } from "@/lib/core/errors.ts";
import { listChannelFolders } from "@/lib/chat/channel_folders.ts";
import {
  type ChannelRecord,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  TOPICS_POLICIES,
  type TopicsPolicy,
  UNLIMITED_RETENTION,
} from "@/lib/chat/channels/model/channel.ts";
import { isOwner } from "@/lib/chat/users/model.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ChannelKind, toKind, whyNotOnWeb } from "./channel_kind.ts";
import type { FormFields } from "../form_fields.ts";
import { findTooLong } from "../find_too_long.ts";

/** Choices of a channel's form. */
export interface ChannelFormChoices {
  readonly folders: readonly { readonly id: number; readonly name: string }[];
  readonly topicsPolicies: readonly TopicsPolicy[];
  /** Why channels cannot be opened to the web; null when they can. */
  readonly whyNotOnWeb: string | null;
  /** Whether the administrator may set the retention period. */
  readonly setsRetention: boolean;
  readonly limits: { readonly name: number; readonly description: number };
}

/** Loads the choices for a channel in `folderId`, or in no folder. */
export async function loadChannelChoices(
  request: AdminRequest,
  folderId: number | null = null,
): Promise<ChannelFormChoices> {
  const { chat, realm, user } = request;
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  return {
    folders: folders.filter(({ id, is_archived }) => !is_archived || id === folderId)
      .map(({ id, name }) => ({ id, name })),
    topicsPolicies: TOPICS_POLICIES,
    whyNotOnWeb: await whyNotOnWeb(request),
    setsRetention: isOwner(user),
    limits: { name: MAX_CHANNEL_NAME, description: MAX_CHANNEL_DESCRIPTION },
  };
}

/** Retention period as the form shows it. */
export interface ShownRetention {
  readonly choice: "default" | "unlimited" | "days";
  readonly days: string;
}

/** Converts a stored retention period for the form. */
export function toShownRetention({ message_retention_days: days }: ChannelRecord): ShownRetention {
  if (days === null) return { choice: "default", days: "" };
  return days === UNLIMITED_RETENTION ? { choice: "unlimited", days: "" } : {
    choice: "days",
    days: String(days),
  };
}

interface ChannelFields {
  readonly name: string;
  readonly description: string;
  readonly kind: ChannelKind;
  readonly isDefault: boolean;
  readonly folderId: number | null;
  readonly topicsPolicy: TopicsPolicy;
}

/** A channel as its form shows it, without permissions. */
export interface ShownChannel extends ChannelFields {
  readonly retention: ShownRetention;
  /** Whether the administrator can decide who reads the channel: only its readers can. */
  readonly canRead: boolean;
}

/** Values of a submitted channel form, without permissions. */
export interface ReadChannel extends ChannelFields {
  /** In the form of the API; undefined when the form lacks it. */
  readonly retention: number | "realm_default" | "unlimited" | undefined;
}

/**
 * Reads a channel form.
 * @throws FormRefusal with the fields that are invalid.
 */
export function readChannelForm(
  request: AdminRequest,
  fields: FormFields,
  otherwise: ChannelKind,
): ReadChannel {
  const name = fields.exact("name").trim();
  const description = fields.text("description");
  const retention = readRetention(fields);
  const problems = findTooLong(request, {
    name: [name, MAX_CHANNEL_NAME],
    description: [description, MAX_CHANNEL_DESCRIPTION],
  });
  if (retention === null) problems["retention_days"] = request.messages.channels.badDays;
  if (retention === null || Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return {
    ...{ name, description, retention },
    kind: toKind(fields.text("kind")) ?? otherwise,
    isDefault: fields.flag("is_default_stream"),
    folderId: fields.int("folder"),
    topicsPolicy: TOPICS_POLICIES.find((policy) => policy === fields.text("topics_policy")) ?? "inherit",
  };
}

/** Undefined when the form has no such field, null for an invalid number of days. */
function readRetention(fields: FormFields): ReadChannel["retention"] | null {
  switch (fields.text("retention")) {
    case "default":
      return "realm_default";
    case "unlimited":
      return "unlimited";
    case "days": {
      const days = fields.int("retention_days");
      return days !== null && days > 0 ? days : null;
    }
    default:
      return undefined;
  }
}

/** Fields of the form by the parameter that a refusal names. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["name", "name"],
  ["folder_id", "folder"],
  ["topics_policy", "topics_policy"],
  ["is_default_stream", "is_default_stream"],
  ["is_web_public", "kind"],
  ["is_private", "kind"],
]);

/**
 * Runs a change of a channel and assigns refusals to the form's fields.
 * @throws FormRefusal, and whatever else `work` throws.
 */
export async function explainChannel<T>({ messages }: AdminRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.field === "history_public_to_subscribers") {
      const problem = messages.channels.topicsNeedEveryone;
      throw new FormRefusal({ kind: problem, can_create_topic_group: problem });
    }
    const field = FIELDS.get(error.field ?? "");
    if (field === undefined) throw error;
    throw new FormRefusal({ [field]: error.message });
  }
}
