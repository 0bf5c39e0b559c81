import { AppError } from "@/lib/core/errors.ts";
import { listFolders } from "@/lib/chat/channel_folders/list.ts";
import {
  type ChannelRecord,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  TOPICS_POLICIES,
  type TopicsPolicy,
  UNLIMITED_RETENTION,
} from "@/lib/chat/channels/channel.ts";
import { isOwner } from "@/lib/chat/users/user.ts";
import { FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import { type ChannelKind, toKind, whyNotOnWeb } from "./channel_kind.ts";
import type { FormFields } from "./form_fields.ts";
import { findTooLong } from "./too_long.ts";

/** What the fields of a channel need to be drawn. */
export interface ChannelFormChoices {
  readonly folders: readonly { readonly id: number; readonly name: string }[];
  readonly topicsPolicies: readonly TopicsPolicy[];
  /** Why no channel can be opened to the web; null where one can. */
  readonly whyNotOnWeb: string | null;
  /** Whether the administrator decides how long messages are kept. */
  readonly setsRetention: boolean;
  readonly limits: { readonly name: number; readonly description: number };
}

/** What can be chosen in the form of a channel that is in `folderId`, or in none. */
export async function loadChannelChoices(
  request: AdminRequest,
  folderId: number | null = null,
): Promise<ChannelFormChoices> {
  const { chat, realm, user } = request;
  const folders = await listFolders(chat, realm, { includeArchived: true });
  return {
    folders: folders.filter(({ id, is_archived }) => !is_archived || id === folderId)
      .map(({ id, name }) => ({ id, name })),
    topicsPolicies: TOPICS_POLICIES,
    whyNotOnWeb: await whyNotOnWeb(request),
    setsRetention: isOwner(user),
    limits: { name: MAX_CHANNEL_NAME, description: MAX_CHANNEL_DESCRIPTION },
  };
}

/** How long messages are kept, as the form has it. */
export interface ShownRetention {
  readonly choice: "default" | "unlimited" | "days";
  readonly days: string;
}

/** A stored time of keeping messages as the form has it. */
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

/** A channel as its form shows it, permissions aside. */
export interface ShownChannel extends ChannelFields {
  readonly retention: ShownRetention;
  /** Whether the administrator can decide who reads it: only who reads it himself can. */
  readonly canRead: boolean;
}

/** What the form of a channel says, permissions aside. */
export interface ReadChannel extends ChannelFields {
  /** As the API takes it; undefined where the form does not have it. */
  readonly retention: number | "realm_default" | "unlimited" | undefined;
}

/**
 * What the form of a channel says.
 * @throws FormRefusal at the fields that say what no channel takes.
 */
export function readChannelForm(
  request: AdminRequest,
  fields: FormFields,
  otherwise: ChannelKind,
): ReadChannel {
  const name = fields.text("name").trim();
  const description = fields.text("description");
  const retention = readRetention(fields);
  const problems = findTooLong(request, {
    name: [name, MAX_CHANNEL_NAME],
    description: [description, MAX_CHANNEL_DESCRIPTION],
  });
  if (retention === null) problems["retention_days"] = request.words.channels.badDays;
  if (retention === null || Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return {
    ...{ name, description, retention },
    kind: toKind(fields.text("kind")) ?? otherwise,
    isDefault: fields.flag("is_default_stream"),
    folderId: fields.int("folder"),
    topicsPolicy: TOPICS_POLICIES.find((policy) => policy === fields.text("topics_policy")) ?? "inherit",
  };
}

/** Undefined where the form has no such field, null for what is no number of days. */
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

const FIELDS: readonly (readonly [words: RegExp, field: string])[] = [
  [/^Channel name|^Invalid character in channel name|already exists$/, "name"],
  [/folder/i, "folder"],
  [/^To enable this configuration/, "topics_policy"],
  [/default channel/, "is_default_stream"],
  [/^Web-public|content access/, "kind"],
];

/**
 * Does what changes a channel, and puts the domain's refusals at the fields of the form.
 * @throws FormRefusal, and whatever else `work` throws.
 */
export async function explainChannel<T>({ words }: AdminRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.message.startsWith("Unsupported parameter combination")) {
      const problem = words.channels.topicsNeedEveryone;
      throw new FormRefusal({ kind: problem, can_create_topic_group: problem });
    }
    const field = FIELDS.find(([words]) => words.test(error.message))?.[1];
    if (field === undefined) throw error;
    throw new FormRefusal({ [field]: error.message });
  }
}
