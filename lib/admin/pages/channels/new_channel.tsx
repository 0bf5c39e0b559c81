import { mapValues } from "es-toolkit/object/mapValues";
import { pick } from "es-toolkit/object/pick";
import { CheckField } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { CreateForm } from "@/components/admin/permissions/CreateForm.tsx";
import { createChannel } from "@/lib/chat/channels/create_channel.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { listGroupMembers } from "@/lib/chat/organization/user_groups/store.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { choice, people, record, rendered, whenChosen } from "@/lib/admin/declare/fields.tsx";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { listGroupChoices, type PermissionGroup } from "@/lib/admin/permissions/group_names.ts";
import { loadNewPermissions, readPermissionFields } from "@/lib/admin/permissions/permission_values.ts";
import {
  CHANNEL_PARAMETERS,
  ChannelFields,
  channelFields,
  explainChannel,
  loadChannelChoices,
  toRetention,
} from "./channel_form.tsx";
import { toPrivacy } from "./channel_kind.ts";
import { channelsPage } from "./channels.tsx";

/** Maximum number of groups offered as first subscribers. */
const MAX_GROUPS = 200;

const FIRST = { me: "You", nobody: "Nobody", group: "Everyone in a group…", people: "Selected people…" };

const create = form({
  action: "create",
  button: "Create channel",
  fields: {
    ...channelFields,
    first: choice({ label: "First subscribers", options: FIRST, otherwise: "nobody" }),
    first_group: whenChosen("first", "group", record({ label: "Group", missing: "Choose a group." })),
    first_people: whenChosen(
      "first",
      "people",
      people({ label: "People", missing: "Enter at least one person." }),
    ),
    announce: rendered((submitted, name) => submitted.flag(name)),
  },
  parameters: CHANNEL_PARAMETERS,
  run: async (request, values, submitted) => {
    const { chat, caller, t } = request;
    const sent = await readPermissionFields(request, submitted, "channel");
    const wanted = {
      ...pick(values, ["name", "description", "topics_policy", "is_default_stream", "announce"]),
      ...toPrivacy(values.kind ?? "public"),
      subscribers: await listFirstSubscribers(request, values),
      folder_id: values.folder,
      message_retention_days: toRetention(values) ?? "realm_default",
      ...mapValues(PERMISSIONS.channel, (_, setting) => sent[setting]?.new),
    };
    const { id, name } = await explainChannel(request, () => createChannel(chat, caller, wanted));
    return { flash: t("Channel {name} created.", { name }), to: `/admin/channels/${id}`, result: { id } };
  },
});

interface FirstSubscribersValues {
  readonly first: keyof typeof FIRST;
  readonly first_group: number | null;
  readonly first_people: readonly UserRecord[] | null;
}

/** Lists the ids of the first subscribers. A role stands for its users only; bots are named one by one. */
async function listFirstSubscribers(
  { chat, realm, user }: AdminRequest,
  { first, first_group: groupId, first_people: people }: FirstSubscribersValues,
): Promise<number[]> {
  if (first === "me") return [user.id];
  if (groupId === null) return (people ?? []).map(({ id }) => id);
  const members = await listGroupMembers(chat, realm, { groupId, isDirectOnly: false });
  const isRole = systemGroupName(realm, groupId) !== null;
  return members.filter((member) => !isRole || !isBot(member)).map(({ id }) => id);
}

/** The page that creates a channel; the first one of an organization is a default channel. */
export const newChannelPage = adminPage({
  path: "/admin/channels/new",
  find: { words: "add new stream room" },
  title: "Create channel",
  lede: "Choose its name, who can read it, and its first subscribers. You can change everything later.",
  above: [channelsPage],
  load: async (request) => {
    const announcedIn = request.realm.settings.new_stream_announcements_stream_id;
    return {
      choices: await loadChannelChoices(request),
      permissions: await loadNewPermissions(request, "channel"),
      groups: listGroupChoices(request, await request.readPermissions(), {
        max: MAX_GROUPS,
        hasRolesFirst: true,
      }),
      /** Name of the channel that new channels are announced in; null for none that the user can see. */
      announcedIn: (await listShownChannels(request)).find(({ id }) => id === announcedIn)?.name ?? null,
      isFirst: (await readChannelList(request.chat, request.realm.id)).channels.length === 0,
    };
  },
  forms: [create],
  view: ({ data: { choices, permissions, isFirst, ...others } }) => {
    const { t } = useTexts(null);
    return (
      <CreateForm
        of={create}
        back={channelsPage.path}
        permissions={permissions}
        permissionsHint={t("The defaults suit most channels. Change them if needed.")}
      >
        <ChannelFields
          of={create}
          choices={choices}
          stored={{ kind: "public", is_default_stream: isFirst }}
          canRead
        />
        <div class="border-t border-rule pt-5">
          <FirstSubscribers {...others} />
        </div>
      </CreateForm>
    );
  },
});

interface FirstSubscribersProps {
  readonly groups: readonly PermissionGroup[];
  readonly announcedIn: string | null;
}

/** Renders the fields for a new channel's first subscribers and its announcement. */
function FirstSubscribers({ groups, announcedIn }: FirstSubscribersProps) {
  const { t } = useTexts(null);
  const state = useFormState(create);
  const fields = create.renderFields(state, { first: "me" }, { first_group: groups });
  return (
    <div class="group/first grid gap-x-5 gap-y-4 sm:grid-cols-2">
      {fields.first}
      <div class="hidden group-has-[option[value=group]:checked]/first:block">{fields.first_group}</div>
      <div class="hidden group-has-[option[value=people]:checked]/first:block">{fields.first_people}</div>
      <div class="sm:col-span-2">
        <CheckField
          state={state}
          name="announce"
          label={t("Announce this channel")}
          hint={announcedIn === null
            ? t("The organization has no channel for announcements.")
            : t("Posts a message in #{name} if the new channel has subscribers.", { name: announcedIn })}
          stored={announcedIn !== null}
          isDisabled={announcedIn === null}
        />
      </div>
    </div>
  );
}
