import { Panel } from "@/components/admin/Panel.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { PermissionSection } from "@/components/admin/permissions/PermissionSection.tsx";
import { Link } from "@/components/Link.tsx";
import { archiveChannel, updateChannel } from "@/lib/chat/channels/update_channel.ts";
import type { ChannelChanges } from "@/lib/chat/channels/api.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import {
  type ChannelRecord,
  normalizeDescription,
  UNLIMITED_RETENTION,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { defaultChannelIds } from "@/lib/chat/channels/store.ts";
import type {} from "@/lib/chat/organization/permissions/model/membership.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { readVisibleChannel } from "@/lib/admin/shown_people.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { CHANNEL } from "@/lib/admin/events/shown_events.ts";
import { impactForms } from "@/lib/admin/permissions/impact_preview.tsx";
import { findPermissionImpact } from "@/lib/admin/permissions/permission_impact.ts";
import { loadPermissions, readPermissionFields } from "@/lib/admin/permissions/permission_values.ts";
import { revisionOf } from "@/lib/admin/revision.ts";
import {
  CHANNEL_PARAMETERS,
  ChannelFields,
  channelFields,
  type ChannelValues,
  explainChannel,
  loadChannelChoices,
  type ReadSettings,
  readSettings,
} from "./channel_form.tsx";
import { kindOf, toKindChanges } from "./channel_kind.ts";
import { ChannelMembers, memberForms, readSubscribersPage } from "./channel_members.tsx";
import { toWhoCanPath } from "../organization/who_can.tsx";
import { channelsPage } from "./channels.tsx";

const texts = {
  subscriberCount: { one: "{count} subscriber", other: "{count} subscribers" },
  archivedNote: "This channel is archived. Its messages are kept, but nobody can send new ones.",
  archiveTexts: {
    writing: "Nobody can send messages to it.",
    messages: "Its messages are kept. Users who can read them now can still read and search them.",
    defaults: "New users are no longer subscribed to it.",
    announcements: "New channels are no longer announced in it.",
    back: "You can restore it at any time.",
  },
};

function findChannel(request: AdminRequest): Promise<ChannelViewer | null> {
  return readVisibleChannel(request, pathId(request));
}

async function loadChannel(request: AdminRequest) {
  const found = await findChannel(request);
  if (found === null) return null;
  const { chat, realm } = request;
  const { channel } = found;
  const [isDefault, members, choices, shown, maker] = await Promise.all([
    readIsDefault(request, channel),
    readSubscribersPage(request, channel.id),
    loadChannelChoices(request, channel.folder_id),
    loadPermissions(request, { kind: "channel", owner: channel }),
    channel.creator_id === null ? null : readUser(chat, realm.id, channel.creator_id),
  ]);
  return {
    ...{ channel, members, choices, permissions: shown, madeBy: maker?.full_name ?? null },
    isAnnouncements: realm.settings.new_stream_announcements_stream_id === channel.id,
    settings: {
      ...{ name: channel.name, description: channel.description, kind: kindOf(channel), isDefault },
      folder: channel.folder_id,
      topics_policy: channel.topics_policy,
      retention: channel.message_retention_days,
      canRead: hasContentAccess(await request.readPermissions(), found),
    },
    seen: revisionOf(settingsOf(channel, isDefault)),
  };
}

async function readIsDefault({ chat, realm }: AdminRequest, { id }: ChannelRecord): Promise<boolean> {
  return (await defaultChannelIds.read(chat, realm.id)).includes(id);
}

/** Returns the values of the settings form. */
function settingsOf(channel: ChannelRecord, isDefault: boolean) {
  const { name, description, folder_id, topics_policy, message_retention_days } = channel;
  return [name, description, kindOf(channel), folder_id, topics_policy, message_retention_days, isDefault];
}

/** Returns only the changed values, because every submitted value requires permission. */
function toChanges(
  channel: ChannelRecord,
  isDefault: boolean,
  wanted: ReadSettings & ChannelValues,
): ChannelChanges {
  const { name, description, folder, topics_policy, retention } = wanted;
  const { message_retention_days: days } = channel;
  const before = days === null ? "realm_default" : days === UNLIMITED_RETENTION ? "unlimited" : days;
  return {
    ...toKindChanges(channel, wanted.kind),
    ...(name === channel.name ? {} : { new_name: name }),
    ...(normalizeDescription(description) === channel.description ? {} : { description }),
    ...(folder === channel.folder_id ? {} : { folder_id: folder }),
    ...(topics_policy === channel.topics_policy ? {} : { topics_policy }),
    ...(retention === undefined || retention === before ? {} : { message_retention_days: retention }),
    ...(wanted.isDefault === isDefault ? {} : { is_default_stream: wanted.isDefault }),
  };
}

async function change(request: AdminRequest, changes: ChannelChanges): Promise<void> {
  const { chat, caller } = request;
  if (Object.keys(changes).length === 0) return;
  const channelId = pathId(request);
  await explainChannel(request, () => updateChannel(chat, caller, { channelId, changes }));
}

async function currentName(request: AdminRequest): Promise<string> {
  return (await findChannel(request))?.channel.name ?? "";
}

const save = form({
  action: "save",
  fields: channelFields,
  parameters: CHANNEL_PARAMETERS,
  revision: async (request) => {
    const channel = (await findChannel(request))?.channel;
    return channel && settingsOf(channel, await readIsDefault(request, channel));
  },
  run: async (request, values, submitted) => {
    const channel = (await findChannel(request))?.channel;
    if (channel !== undefined) {
      const isDefault = await readIsDefault(request, channel);
      const settings = readSettings(request, submitted, kindOf(channel));
      await change(request, toChanges(channel, isDefault, { ...values, ...settings }));
    }
    return { flash: request.t("Channel {name} saved.", { name: await currentName(request) }) };
  },
});

const savePermissions = form({
  action: "permissions",
  run: async (request, _, submitted) => {
    await change(request, await readPermissionFields(request, submitted, "channel"));
    return { flash: request.t("Permissions of {name} saved.", { name: await currentName(request) }) };
  },
});

const preview = impactForms(async (request, fields) => {
  const updates = await readPermissionFields(request, fields, "channel");
  const found = await findChannel(request);
  if (found === null) throw new AppError("NOT_FOUND", request.messages.common.gone);
  return await findPermissionImpact(request, { kind: "channel", owner: found.channel }, updates);
});

const unarchive = form({
  action: "unarchive",
  button: "Restore channel",
  run: async (request) => {
    await change(request, { is_archived: false });
    return { flash: request.t("Channel {name} restored.", { name: await currentName(request) }) };
  },
});

/** The page of a channel: settings, permissions and subscribers. */
export const channelPage = adminPage({
  path: "/admin/channels/[id]",
  title: ({ channel }) => `#${channel.name}`,
  above: [channelsPage],
  lede: ({ settings, members }, t, { channels }) =>
    t("{kind} · {subscribers}", {
      kind: channels.kinds[settings.kind],
      subscribers: t(texts.subscriberCount, { count: members.count }),
    }),
  actions: ({ data: { channel } }) => {
    const { t } = useTexts(texts);
    if (channel.is_archived) return null;
    return (
      <Link class={QUIET_BUTTON} href={`/admin/channels/${channel.id}/archive`}>{t("Archive channel")}</Link>
    );
  },
  shows: CHANNEL,
  load: loadChannel,
  forms: [save, savePermissions, ...memberForms, unarchive, ...preview],
  view: ({ data: { channel, settings, choices, permissions, members, madeBy, seen } }) => {
    const { t, text, messages, opens } = useTexts(texts);
    const state = useFormState(save);
    const explained = `/admin/channels/${channel.id}/permissions`;
    return (
      <>
        {channel.is_archived && (
          <section class="mb-8 grid gap-3 border-y border-rule py-5">
            <p>{text.archivedNote}</p>
            <Form of={unarchive} />
          </section>
        )}
        <Panel title={t("Name and settings")}>
          <AdminForm state={state} button={messages.common.save} hidden={{ seen }}>
            <ChannelFields of={save} state={state} choices={choices} stored={settings} />
          </AdminForm>
        </Panel>
        <PermissionSection
          permissions={permissions}
          about={opens(explained) && (
            <>
              <Link class="link inline-flex min-h-11 items-center text-small" href={explained}>
                {t("Who can do what, and why?")}
              </Link>
              <Link
                class="link inline-flex min-h-11 items-center text-small"
                href={toWhoCanPath("channel", "can_send_message_group", `#${channel.name}`)}
              >
                {messages.permissions.explain.whoCan}
              </Link>
            </>
          )}
        />
        <ChannelMembers channel={channel} members={members} madeBy={madeBy} />
      </>
    );
  },
});

export const archiveChannelPage = confirmPage({
  path: "/admin/channels/[id]/archive",
  title: ({ channel: { name } }, t) => t("Archive #{name}?", { name }),
  above: ({ channel: { id, name } }) => [channelsPage, { path: `/admin/channels/${id}`, name: `#${name}` }],
  shows: CHANNEL,
  load: loadChannel,
  action: "archive",
  button: ({ channel: { name } }, t) => t("Archive #{name}", { name }),
  view: ({ data: { settings, isAnnouncements } }) => {
    const { writing, messages, defaults, announcements, back } = useTexts(texts).text.archiveTexts;
    return (
      <>
        <p>{writing}</p>
        <p>{messages}</p>
        {settings.isDefault && <p>{defaults}</p>}
        {isAnnouncements && <p>{announcements}</p>}
        <p class="text-soft">{back}</p>
      </>
    );
  },
  run: async ({ chat, caller, t }, { channel: { id } }) => {
    const { after } = await archiveChannel(chat, caller, id);
    const undo = { path: `/admin/channels/${id}`, fields: { action: unarchive.action } };
    return { flash: t("Channel {name} archived.", { name: after.name }), undo };
  },
});
