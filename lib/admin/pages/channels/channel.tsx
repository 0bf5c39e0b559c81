import { GONE } from "@/lib/ui/texts.ts";
import { pick } from "es-toolkit/object/pick";
import { Panel } from "@/components/admin/Panel.tsx";
import { PermissionSection } from "@/components/admin/permissions/PermissionSection.tsx";
import { Link } from "@/components/Link.tsx";
import { archiveChannel, updateChannel } from "@/lib/chat/channels/update_channel.ts";
import type { ChannelChanges } from "@/lib/chat/channels/api.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { type ChannelRecord, normalizeDescription } from "@/lib/chat/organization/channels/model/channel.ts";
import { defaultChannelIds } from "@/lib/chat/channels/store.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
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
import { requireRevision } from "@/lib/admin/revision.ts";
import {
  CHANNEL_PARAMETERS,
  ChannelFields,
  channelFields,
  type ChannelValues,
  explainChannel,
  loadChannelChoices,
  storedOf,
  toRetention,
} from "./channel_form.tsx";
import { CHANNEL_KIND_NAMES, kindOf, toKindChanges } from "./channel_kind.ts";
import { subscribers } from "./subscribers.ts";
import { MemberSection, readMemberPage } from "../members.tsx";
import { toWhoCanPath } from "../organization/who_can.tsx";
import { channelsPage } from "./channels.tsx";

const texts = {
  subscriberCount: { one: "{count} subscriber", other: "{count} subscribers" },
};

function findChannel(request: AdminRequest): Promise<ChannelViewer | null> {
  return readVisibleChannel(request, pathId(request));
}

async function loadChannel(request: AdminRequest) {
  const found = await findChannel(request);
  if (found === null) return null;
  const { chat, realm } = request;
  const { channel } = found;
  const subscriberIds = await listSubscriberIds(chat, realm.id, channel.id);
  const [isDefault, members, choices, shown, maker] = await Promise.all([
    readIsDefault(request, channel),
    readMemberPage(request, subscriberIds),
    loadChannelChoices(request, channel.folder_id),
    loadPermissions(request, { kind: "channel", owner: channel }),
    channel.creator_id === null ? null : readUser(chat, realm.id, channel.creator_id),
  ]);
  return {
    ...{ channel, members, choices, permissions: shown, madeBy: maker?.full_name ?? null },
    settings: storedOf(channel, isDefault),
    canRead: hasContentAccess(await request.readPermissions(), found),
  };
}

async function readIsDefault({ chat, realm }: AdminRequest, { id }: ChannelRecord): Promise<boolean> {
  return (await defaultChannelIds.read(chat, realm.id)).includes(id);
}

/** Returns only the changed values, because every submitted value requires permission. */
function toChanges(channel: ChannelRecord, before: ChannelValues, wanted: ChannelValues): ChannelChanges {
  const { name, description, kind, folder, topics_policy, is_default_stream } = wanted;
  const retention = toRetention(wanted);
  return {
    ...(kind === null ? {} : toKindChanges(channel, kind)),
    ...(name === channel.name ? {} : { new_name: name }),
    ...(normalizeDescription(description) === channel.description ? {} : { description }),
    ...(folder === channel.folder_id ? {} : { folder_id: folder }),
    ...(topics_policy === channel.topics_policy ? {} : { topics_policy }),
    ...(retention === toRetention(before) ? {} : { message_retention_days: retention }),
    ...(is_default_stream === before.is_default_stream ? {} : { is_default_stream }),
  };
}

async function change(
  request: AdminRequest,
  changes: Parameters<typeof updateChannel>[2]["changes"],
): Promise<string> {
  const { chat, caller } = request;
  const channelId = pathId(request);
  const { after } = await explainChannel(request, () => updateChannel(chat, caller, { channelId, changes }));
  return after.name;
}

const save = form({
  action: "save",
  button: "Save",
  fields: channelFields,
  parameters: CHANNEL_PARAMETERS,
  stored: async (request) => {
    const channel = (await findChannel(request))?.channel;
    return channel === undefined ? null : storedOf(channel, await readIsDefault(request, channel));
  },
  run: async (request, values, submitted) => {
    const name = await change(request, (channel, isDefault) => {
      // Checked again on the channel that is changed.
      const stored = storedOf(channel, isDefault);
      requireRevision(request, submitted, Object.values(stored));
      // A field that the form lacks stays as it is.
      const kept = {
        ...(submitted.flag("retention") ? {} : pick(stored, ["retention", "retention_days"])),
        ...(isAdmin(request.user) || values.is_default_stream ? {} : pick(stored, ["is_default_stream"])),
      };
      return toChanges(channel, stored, { ...values, ...kept });
    });
    return { flash: request.t("Channel {name} saved.", { name }) };
  },
});

const savePermissions = form({
  action: "permissions",
  run: async (request, _, submitted) => {
    const name = await change(request, await readPermissionFields(request, submitted, "channel"));
    return { flash: request.t("Permissions of {name} saved.", { name }) };
  },
});

const preview = impactForms(async (request, fields) => {
  const updates = await readPermissionFields(request, fields, "channel");
  const found = await findChannel(request);
  if (found === null) throw new AppError("NOT_FOUND", request.t(GONE));
  return await findPermissionImpact(request, { kind: "channel", owner: found.channel }, updates);
});

const unarchive = form({
  action: "unarchive",
  button: "Restore channel",
  run: async (request) => {
    const name = await change(request, { is_archived: false });
    return { flash: request.t("Channel {name} restored.", { name }) };
  },
});

/** The page of a channel: settings, permissions and subscribers. */
export const channelPage = adminPage({
  path: "/admin/channels/[id]",
  title: ({ channel }) => `#${channel.name}`,
  above: [channelsPage],
  lede: ({ channel, members }, t) =>
    t("{kind} · {subscribers}", {
      kind: t(CHANNEL_KIND_NAMES[kindOf(channel)]),
      subscribers: t(texts.subscriberCount, { count: members.count }),
    }),
  actions: ({ data: { channel } }) => {
    const { t } = useTexts(null);
    if (channel.is_archived) return null;
    return (
      <Link class={QUIET_BUTTON} href={`/admin/channels/${channel.id}/archive`}>{t("Archive channel")}</Link>
    );
  },
  shows: CHANNEL,
  load: loadChannel,
  forms: [save, savePermissions, subscribers.add, subscribers.remove, unarchive, ...preview],
  view: ({ data: { channel, settings, choices, canRead, permissions, members, madeBy } }) => {
    const { t, formatter } = useTexts(null);
    const date = formatter.date(channel.date_created);
    return (
      <>
        {channel.is_archived && (
          <section class="mb-8 grid gap-3 border-y border-rule py-5">
            <p>{t("This channel is archived. Its messages are kept, but nobody can send new ones.")}</p>
            <Form of={unarchive} look={QUIET_BUTTON} />
          </section>
        )}
        <Panel title={t("Name and settings")}>
          <Form of={save} stored={settings}>
            {() => <ChannelFields of={save} stored={settings} choices={choices} canRead={canRead} />}
          </Form>
        </Panel>
        <PermissionSection
          permissions={permissions}
          pages={{
            [`/admin/channels/${channel.id}/permissions`]: t("Who can do what, and why?"),
            [toWhoCanPath("channel", "can_send_message_group", `#${channel.name}`)]: t("Who can…?"),
          }}
        />
        <MemberSection
          of={subscribers}
          shown={members}
          mayAdd={!channel.is_archived}
          mayRemove={!channel.is_archived}
        />
        <p class="text-small text-soft">
          {madeBy === null
            ? t("Created on {date}", { date })
            : t("Created by {name} on {date}", { name: madeBy, date })}
        </p>
      </>
    );
  },
});

export const archiveChannelPage = confirmPage({
  path: "/admin/channels/[id]/archive",
  load: async (request) => {
    const channel = (await findChannel(request))?.channel;
    return channel === undefined ? null : { channel, isDefault: await readIsDefault(request, channel) };
  },
  title: ({ channel: { name } }, t) => t("Archive #{name}?", { name }),
  above: ({ channel: { id, name } }) => [channelsPage, { path: `/admin/channels/${id}`, name: `#${name}` }],
  shows: CHANNEL,
  action: "archive",
  button: ({ channel: { name } }, t) => t("Archive #{name}", { name }),
  view: ({ data: { channel, isDefault } }) => {
    const { t, realm } = useTexts(null);
    const isAnnouncements = realm.settings.new_stream_announcements_stream_id === channel.id;
    return (
      <>
        <p>{t("Nobody can send messages to it.")}</p>
        <p>{t("Its messages are kept. Users who can read them now can still read and search them.")}</p>
        {isDefault && <p>{t("New users are no longer subscribed to it.")}</p>}
        {isAnnouncements && <p>{t("New channels are no longer announced in it.")}</p>}
        <p class="text-soft">{t("You can restore it at any time.")}</p>
      </>
    );
  },
  run: async ({ chat, caller, t }, { channel: { id } }) => {
    const { after } = await archiveChannel(chat, caller, id);
    const undo = { path: `/admin/channels/${id}`, fields: { action: unarchive.action } };
    return { flash: t("Channel {name} archived.", { name: after.name }), undo };
  },
});
