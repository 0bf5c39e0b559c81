import { mapValues } from "es-toolkit/object/mapValues";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { createChannel } from "@/lib/chat/channels/create_channel.ts";
import type { NewChannel } from "@/lib/chat/channels/api.ts";
import { PERMISSIONS } from "@/lib/chat/permissions/model/registry.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { SYSTEM_GROUPS, systemGroupId } from "@/lib/chat/permissions/model/system_groups.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import {
  type ChannelFormChoices,
  explainChannel,
  loadChannelChoices,
  readChannelForm,
} from "./channel_form.ts";
import { toPrivacy } from "./channel_kind.ts";
import { readFirstSubscribers } from "./channel_subscribers.ts";
import type { FormFields } from "../form_fields.ts";
import {
  explainPermissions,
  loadNewPermissions,
  type PermissionGroup,
  readPermissionFields,
  type ShownPermission,
} from "../permissions/permission_values.ts";

/** Maximum number of groups offered as first subscribers. */
const MAX_GROUPS = 200;

/** Data of the page that creates a channel. */
export interface NewChannelData {
  readonly choices: ChannelFormChoices;
  readonly permissions: readonly ShownPermission[];
  /** Groups whose members can be the first subscribers. */
  readonly groups: readonly PermissionGroup[];
  /** Channel that new channels are announced in, or null. */
  readonly announcedIn: string | null;
  /** Whether the organization has no channel yet: its first one is a default channel. */
  readonly isFirst: boolean;
}

/** The page that creates a channel. */
export const newChannelPage: AdminPageSpec<NewChannelData> = {
  load: async (request) => ({
    choices: await loadChannelChoices(request),
    permissions: await loadNewPermissions(request, "channel"),
    groups: await listGroups(request),
    announcedIn: await readAnnouncements(request),
    isFirst: (await readChannelList(request.chat, request.realm.id)).channels.length === 0,
  }),
  actions: { create: { run: create } },
};

async function listGroups({ chat, realm, messages }: AdminRequest): Promise<readonly PermissionGroup[]> {
  const { groups } = await peekPermissionContext(chat, realm);
  const roles = SYSTEM_GROUPS.filter(({ name }) => name !== "role:nobody" && name !== "role:internet")
    .map(({ name }) => ({ id: systemGroupId(realm, name), name: messages.permissions.roleNames[name] }));
  const made = [...groups.values()].filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ id, name })).sort((one, other) => compareNames(one.name, other.name));
  return [...roles, ...made.slice(0, MAX_GROUPS)];
}

async function readAnnouncements({ chat, realm }: AdminRequest): Promise<string | null> {
  const place = realm.settings.new_stream_announcements_stream_id;
  if (place === null) return null;
  const channel = await chat.reads.read<ChannelRecord>(channelKeys.channel(realm.id, place));
  return channel === null || channel.is_archived ? null : channel.name;
}

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const wanted = await readNewChannel(request, fields);
  const { id, name } = await explainChannel(
    request,
    () => explainPermissions(request, () => createChannel(chat, caller, wanted)),
  );
  return {
    flash: formatter.t(messages.channels.created, { name }),
    to: `/admin/channels/${id}`,
    result: { id },
  };
}

async function readNewChannel(request: AdminRequest, fields: FormFields): Promise<NewChannel> {
  const { name, description, kind, ...rest } = readChannelForm(request, fields, "public");
  const sent = await readPermissionFields(request, fields, "channel");
  return {
    ...{ name, description, ...toPrivacy(kind) },
    subscribers: [...await readFirstSubscribers(request, fields)],
    announce: fields.flag("announce"),
    is_default_stream: rest.isDefault,
    folder_id: rest.folderId,
    topics_policy: rest.topicsPolicy,
    message_retention_days: rest.retention ?? "realm_default",
    ...mapValues(PERMISSIONS.channel, (_, setting) => sent[setting]?.new),
  };
}
