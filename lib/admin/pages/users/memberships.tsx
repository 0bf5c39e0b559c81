import type { ComponentChildren } from "preact";
import { partition } from "es-toolkit/array/partition";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Link } from "@/components/Link.tsx";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { editSubscriptions } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import type { ChannelViewer } from "@/lib/chat/organization/channels/model/access.ts";
import { listSubscribedChannelIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { editMembers } from "@/lib/chat/organization/user_groups/edit_members.ts";
import { mayAddMembers } from "@/lib/chat/organization/user_groups/model/rules.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { record } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { readVisibleChannel } from "@/lib/admin/shown_people.ts";

/** Maximum number of named records of a kind; further ones are counted. */
const MAX_NAMED = 100;
/** Maximum number of groups and of channels to choose from. */
const MAX_CHOICES = 500;

/**
 * Loads the groups of a user and their active channels that the viewer may see, with the groups and channels to which the
 * viewer can add them.
 */
export async function loadMemberships(
  { chat, realm, user: viewer, readPermissions }: AdminRequest,
  { id, is_active }: UserRecord,
) {
  const permissions = await readPermissions();
  const [subscribed, visible] = await Promise.all([
    listSubscribedChannelIds(chat, realm.id, id),
    listVisibleChannels(chat, permissions, viewer),
  ]);
  const [groups, otherGroups] = partition(
    [...permissions.groups.values()].filter(({ deactivated }) => !deactivated)
      .toSorted((one, other) => compareNames(one.name, other.name)),
    ({ members }) => members.includes(id),
  );
  const [channels, otherChannels] = partition(
    visible.filter(({ channel }) => !channel.is_archived),
    ({ channel }) => subscribed.has(channel.id),
  );
  const mayJoin = otherGroups.filter((group) => is_active && mayAddMembers(permissions, group.id, viewer));
  const maySubscribe = otherChannels.filter((one) => is_active && canAddOthers(permissions, one));
  const toNamed = ({ channel }: ChannelViewer) => ({ id: channel.id, name: `#${channel.name}` });
  return {
    groups: { things: groups, choices: mayJoin.slice(0, MAX_CHOICES) },
    channels: {
      things: channels.map(toNamed),
      choices: maySubscribe.slice(0, MAX_CHOICES).map(toNamed),
    },
  };
}

const addToGroup = form({
  action: "add_group",
  button: "Add to group",
  fields: { group: record({ label: "Group", missing: "Choose a group." }) },
  refusedAt: "group",
  run: async (request, { group: groupId }) => {
    const edits = { add: [pathId(request)], delete: [], add_subgroups: [], delete_subgroups: [] };
    await editMembers(request.chat, request.caller, { groupId, edits });
    const { groups } = await request.readPermissions();
    return { flash: request.t("Added to {name}.", { name: groups.get(groupId)?.name ?? "" }) };
  },
});

const addToChannel = form({
  action: "add_channel",
  button: "Add to channel",
  fields: { channel: record({ label: "Channel", missing: "Choose a channel." }) },
  refusedAt: "channel",
  run: async (request, { channel: id }) => {
    const { chat, caller, t } = request;
    const name = (await readVisibleChannel(request, id))?.channel.name;
    if (name === undefined) throw new FormRefusal({ channel: t("Choose a channel.") });
    await editSubscriptions(chat, caller, { add: [{ name }], principals: [pathId(request)] });
    return { flash: t("Added to {name}.", { name: `#${name}` }) };
  },
});

export const membershipForms = [addToGroup, addToChannel];

export function MembershipLists({ groups, channels }: Awaited<ReturnType<typeof loadMemberships>>) {
  const { t } = useAdmin();
  return (
    <>
      <NameLinks
        title={t("Groups")}
        things={groups.things}
        path="/admin/groups"
        empty={t("Not in any groups.")}
      >
        {groups.choices.length > 0 && (
          <Form of={addToGroup} options={{ group: groups.choices }} look={QUIET_BUTTON} />
        )}
      </NameLinks>
      <NameLinks
        title={t("Channels")}
        things={channels.things}
        path="/admin/channels"
        empty={t("Not in any channels.")}
      >
        {channels.choices.length > 0 && (
          <Form of={addToChannel} options={{ channel: channels.choices }} look={QUIET_BUTTON} />
        )}
      </NameLinks>
    </>
  );
}

interface NameLinksProps {
  readonly title: string;
  readonly things: readonly { readonly id: number; readonly name: string }[];
  /** Path prefix of the items' pages; the id follows. */
  readonly path: string;
  readonly empty?: string;
  readonly children?: ComponentChildren;
}

/** Lists names linked to their pages, below a title. */
export function NameLinks({ title, things, path, empty = "", children }: NameLinksProps) {
  const { t } = useAdmin();
  return (
    <section class="min-w-0">
      <h2 class="mb-2">{title}</h2>
      {things.length === 0 && <p class="text-soft">{empty}</p>}
      <ul class="flex flex-wrap gap-x-4">
        {things.slice(0, MAX_NAMED).map(({ id, name }) => (
          <li key={id} class="min-w-0">
            <Link class="link inline-flex min-h-8 max-w-full items-center break-words" href={`${path}/${id}`}>
              <bdi class="min-w-0">{name}</bdi>
            </Link>
          </li>
        ))}
        {things.length > MAX_NAMED && (
          <li class="inline-flex min-h-8 items-center text-soft">
            {t(
              { one: "and {count} other", other: "and {count} others" },
              { count: things.length - MAX_NAMED },
            )}
          </li>
        )}
      </ul>
      <div class="mt-3 empty:hidden sm:max-w-[20rem]">{children}</div>
    </section>
  );
}
