import type { ComponentChildren } from "preact";
import { SelectField } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Link } from "@/components/Link.tsx";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { editSubscriptions } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import { listSubscribedChannelIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { editMembers } from "@/lib/chat/organization/user_groups/edit_members.ts";
import { mayAddMembers } from "@/lib/chat/organization/user_groups/model/rules.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { Form, form, type PageForm } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";

const texts = {
  more: { one: "and {count} other", other: "and {count} others" },
};

/** Maximum number of named records of a kind; further ones are counted. */
const MAX_NAMED = 100;
/** Maximum number of groups and of channels to choose from. */
const MAX_CHOICES = 500;

/** A record with a page. */
export interface NamedThing {
  readonly id: number;
  readonly name: string;
}

/** Records by name, and the number of further ones. */
export interface NamedThings {
  readonly named: readonly NamedThing[];
  readonly others: number;
}

/** Returns the first records and the number of the others. */
export function toNamed(things: readonly NamedThing[]): NamedThings {
  const named = things.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name }));
  return { named, others: things.length - named.length };
}

/** Groups or channels of a user, and those to which the viewer can add them. */
interface Memberships {
  readonly things: NamedThings;
  readonly choices: readonly NamedThing[];
}

/** Loads the groups of a user, and their active channels that the viewer may see. */
export async function loadMemberships(
  { chat, realm, user: viewer, readPermissions }: AdminRequest,
  { id, is_active }: UserRecord,
): Promise<{ readonly groups: Memberships; readonly channels: Memberships }> {
  const permissions = await readPermissions();
  const [subscribed, visible] = await Promise.all([
    listSubscribedChannelIds(chat, realm.id, id),
    listVisibleChannels(chat, permissions, viewer),
  ]);
  const groups = [...permissions.groups.values()].filter(({ deactivated }) => !deactivated)
    .toSorted((one, other) => compareNames(one.name, other.name));
  const channels = visible.filter(({ channel }) => !channel.is_archived);
  const toChoices = (things: readonly NamedThing[]) =>
    is_active ? things.slice(0, MAX_CHOICES).map(({ id, name }) => ({ id, name })) : [];
  return {
    groups: {
      things: toNamed(groups.filter(({ members }) => members.includes(id))),
      choices: toChoices(
        groups.filter((group) => !group.members.includes(id) && mayAddMembers(permissions, group.id, viewer)),
      ),
    },
    channels: {
      things: toNamed(channels.flatMap(({ channel }) => subscribed.has(channel.id) ? [channel] : [])),
      choices: toChoices(
        channels.flatMap((one) =>
          !subscribed.has(one.channel.id) && canAddOthers(permissions, one) ? [one.channel] : []
        ),
      ),
    },
  };
}

const addToGroup = form({
  action: "add_group",
  button: "Add to group",
  refusedAt: "group",
  run: async (request, _, submitted) => {
    const { chat, caller, t } = request;
    const groupId = submitted.int("group");
    if (groupId === null) throw new FormRefusal({ group: t("Choose a group.") });
    const edits = { add: [pathId(request)], delete: [], add_subgroups: [], delete_subgroups: [] };
    await editMembers(chat, caller, { groupId, edits });
    const { groups } = await request.readPermissions();
    return { flash: t("Added to {name}.", { name: groups.get(groupId)?.name ?? "" }) };
  },
});

const addToChannel = form({
  action: "add_channel",
  button: "Add to channel",
  refusedAt: "channel",
  run: async (request, _, submitted) => {
    const { chat, user, caller, t } = request;
    const permissions = await request.readPermissions();
    const visible = await listVisibleChannels(chat, permissions, user);
    const name = visible.find(({ channel }) => channel.id === submitted.int("channel"))?.channel.name;
    if (name === undefined) throw new FormRefusal({ channel: t("Choose a channel.") });
    await editSubscriptions(chat, caller, { add: [{ name }], principals: [pathId(request)] });
    return { flash: t("Added to {name}.", { name: `#${name}` }) };
  },
});

/** Forms that add the page's user to a group or channel. */
export const membershipForms = [addToGroup, addToChannel];

/** Renders the groups and channels of a user, with forms that add them to others. */
export function MembershipLists(
  { groups, channels }: { readonly groups: Memberships; readonly channels: Memberships },
) {
  const { t } = useTexts(texts);
  return (
    <>
      <NameLinks
        title={t("Groups")}
        things={groups.things}
        path="/admin/groups"
        empty={t("Not in any groups.")}
      >
        <AddForm of={addToGroup} name="group" label={t("Group")} choices={groups.choices} />
      </NameLinks>
      <NameLinks
        title={t("Channels")}
        things={channels.things}
        path="/admin/channels"
        sign="#"
        empty={t("Not in any channels.")}
      >
        <AddForm of={addToChannel} name="channel" label={t("Channel")} choices={channels.choices} sign="#" />
      </NameLinks>
    </>
  );
}

interface AddFormProps {
  readonly of: PageForm<Record<never, never>>;
  readonly name: string;
  readonly label: string;
  readonly choices: readonly NamedThing[];
  readonly sign?: string;
}

function AddForm({ of, name, label, choices, sign = "" }: AddFormProps) {
  const state = useFormState(of);
  if (choices.length === 0) return null;
  const options = choices.map((choice) => ({ value: String(choice.id), label: `${sign}${choice.name}` }));
  return (
    <div class="mt-3 max-w-[20rem]">
      <Form of={of} look={QUIET_BUTTON}>
        {() => <SelectField state={state} name={name} label={label} choices={options} />}
      </Form>
    </div>
  );
}

interface NameLinksProps {
  readonly title: string;
  readonly things: NamedThings;
  /** Path prefix of the items' pages; the id follows. */
  readonly path: string;
  /** Text before each name. */
  readonly sign?: string;
  /** Text shown when there are no items. */
  readonly empty?: string;
  readonly children?: ComponentChildren;
}

/** Lists names linked to their pages, below a title. */
export function NameLinks({ title, things, path, sign = "", empty = "", children }: NameLinksProps) {
  const { text, t } = useTexts(texts);
  const { named, others } = things;
  return (
    <section class="min-w-0">
      <h2 class="mb-2">{title}</h2>
      {named.length === 0 && <p class="text-soft">{empty}</p>}
      <ul class="flex flex-wrap gap-x-4">
        {named.map(({ id, name }) => (
          <li key={id} class="min-w-0">
            <Link class="link inline-flex min-h-8 max-w-full items-center break-words" href={`${path}/${id}`}>
              <bdi class="min-w-0">{sign}{name}</bdi>
            </Link>
          </li>
        ))}
        {others > 0 && (
          <li class="inline-flex min-h-8 items-center text-soft">{t(text.more, { count: others })}</li>
        )}
      </ul>
      {children}
    </section>
  );
}
