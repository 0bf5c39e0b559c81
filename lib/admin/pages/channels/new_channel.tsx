import { mapValues } from "es-toolkit/object/mapValues";
import { CheckField, SelectField } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import { CreateForm } from "@/components/admin/permissions/CreateForm.tsx";
import { createChannel } from "@/lib/chat/channels/create_channel.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { listGroupMembers } from "@/lib/chat/organization/user_groups/store.ts";
import { isBot } from "@/lib/chat/organization/users/model.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { listGroupChoices, type PermissionGroup } from "@/lib/admin/permissions/group_names.ts";
import { loadNewPermissions, readPermissionFields } from "@/lib/admin/permissions/permission_values.ts";
import {
  CHANNEL_PARAMETERS,
  ChannelFields,
  channelFields,
  type ChannelValues,
  checkRetention,
  explainChannel,
  loadChannelChoices,
  toRetention,
} from "./channel_form.tsx";
import { toPrivacy } from "./channel_kind.ts";
import { channelsPage } from "./channels.tsx";

/** Maximum number of groups offered as first subscribers. */
const MAX_GROUPS = 200;

const FIRST = { me: "You", nobody: "Nobody", group: "Everyone in a group…", people: "Selected people…" };

/** Default values of a new channel. */
const START: ChannelValues = {
  name: "",
  description: "",
  kind: "public",
  folder: null,
  topics_policy: "inherit",
  retention: "default",
  retention_days: null,
  is_default_stream: false,
};

/**
 * Returns the ids of the first subscribers that a form names. A role stands for its users only; bots are
 * named one by one.
 * @throws FormRefusal when no one or an unknown user is named.
 */
async function readFirstSubscribers(request: AdminRequest, fields: FormFields): Promise<number[]> {
  const { chat, realm, user, t } = request;
  switch (fields.text("first")) {
    case "me":
      return [user.id];
    case "group": {
      const groupId = fields.int("first_group");
      if (groupId === null) throw new FormRefusal({ first_group: t("Choose a group.") });
      const members = await listGroupMembers(chat, realm, { groupId, isDirectOnly: false });
      const isRole = systemGroupName(realm, groupId) !== null;
      return members.filter((member) => !isRole || !isBot(member)).map(({ id }) => id);
    }
    case "people": {
      const people = await findPeople(request, readPeopleInput(fields, "first_people"), "first_people");
      if (people.length === 0) throw new FormRefusal({ first_people: t("Enter at least one person.") });
      return people.map(({ id }) => id);
    }
    default:
      return [];
  }
}

const create = form({
  action: "create",
  button: "Create channel",
  fields: channelFields,
  parameters: CHANNEL_PARAMETERS,
  check: checkRetention,
  run: async (request, values, submitted) => {
    const { chat, caller, t } = request;
    const { kind, folder, retention: _, retention_days: __, ...named } = values;
    const sent = await readPermissionFields(request, submitted, "channel");
    const wanted = {
      ...{ ...named, ...toPrivacy(kind ?? "public") },
      subscribers: await readFirstSubscribers(request, submitted),
      announce: submitted.flag("announce"),
      folder_id: folder,
      message_retention_days: toRetention(values) ?? "realm_default",
      ...mapValues(PERMISSIONS.channel, (_, setting) => sent[setting]?.new),
    };
    const { id, name } = await explainChannel(request, () => createChannel(chat, caller, wanted));
    return { flash: t("Channel {name} created.", { name }), to: `/admin/channels/${id}`, result: { id } };
  },
});

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
    const state = useFormState(create);
    return (
      <CreateForm
        state={state}
        button={t("Create channel")}
        back={channelsPage.path}
        permissions={permissions}
        permissionsHint={t("The defaults suit most channels. Change them if needed.")}
      >
        <ChannelFields
          of={create}
          state={state}
          choices={choices}
          stored={{ ...START, is_default_stream: isFirst }}
          canRead
        />
        <div class="border-t border-rule pt-5">
          <FirstSubscribers state={state} {...others} />
        </div>
      </CreateForm>
    );
  },
});

interface FirstSubscribersProps {
  readonly state: FormState;
  readonly groups: readonly PermissionGroup[];
  readonly announcedIn: string | null;
}

/** Renders the fields for a new channel's first subscribers and its announcement. */
function FirstSubscribers({ state, groups, announcedIn }: FirstSubscribersProps) {
  const { t } = useTexts(null);
  return (
    <div class="group/first grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <SelectField
        state={state}
        name="first"
        label={t("First subscribers")}
        stored="me"
        choices={Object.entries(FIRST).map(([value, label]) => ({ value, label: t(label) }))}
      />
      <div class="hidden group-has-[option[value=group]:checked]/first:block">
        <SelectField
          state={state}
          name="first_group"
          label={t("Group")}
          choices={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </div>
      <div class="hidden group-has-[option[value=people]:checked]/first:block">
        <PeopleField state={state} name="first_people" label={t("People")} />
      </div>
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
