import type { TestParams } from "@/tests/helpers/chat.ts";
import { messageOperations } from "./client_message_operations.ts";
import { otherOperations } from "./client_other_operations.ts";
import { organizationOperations, ownOperations, subscriptionOperations } from "./client_own_operations.ts";
import { type JsonRecord, type Make, type Operation, setting, type Stage } from "./client_stage.ts";

/** Operations of each domain, by name. */
export const OPERATIONS: Readonly<Record<string, Make>> = {
  ...peopleOperations(),
  ...groupOperations(),
  ...channelOperations(),
  ...subscriptionOperations(),
  ...organizationOperations(),
  ...ownOperations(),
  ...otherOperations(),
  ...messageOperations(),
};

function peopleOperations(): Record<string, Make> {
  const target = ({ dice, targets }: Stage) => dice.one(targets).id;
  const bot = ({ dice, known }: Stage) => dice.any<JsonRecord>(known.realm_bots)?.user_id ?? 0;
  const byAdmin = (stage: Stage) => stage.dice.one([stage.chat.owner, stage.chat.admin]);
  return {
    rename: (at) => ({
      user: byAdmin(at),
      endpoint: `PATCH /users/${target(at)}`,
      params: { full_name: at.dice.name() },
    }),
    role: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /users/${target(at)}`,
      params: { role: at.dice.one([100, 200, 300, 400, 600]) },
    }),
    // Half of the time watchers get their own role back: few operations would succeed otherwise.
    role_of_watcher: (at) => {
      const { admin, moderator, member, guest } = at.chat;
      const [{ id }, role] = at.dice.one([[admin, 200], [moderator, 300], [member, 400], [guest, 600]]);
      const roles = at.dice.yes() ? [role] as const : [100, 200, 300, 400, 600] as const;
      return { user: at.chat.owner, endpoint: `PATCH /users/${id}`, params: { role: at.dice.one(roles) } };
    },
    email: (at) => ({
      user: byAdmin(at),
      endpoint: `PATCH /users/${target(at)}`,
      params: { new_email: `${at.dice.name()}@example.com` },
    }),
    deactivate: (at) => ({ user: at.chat.owner, endpoint: `DELETE /users/${target(at)}` }),
    reactivate: (at) => ({ user: at.chat.owner, endpoint: `POST /users/${target(at)}/reactivate` }),
    add_user: (at) => ({
      user: byAdmin(at),
      endpoint: "POST /users",
      params: {
        email: `${at.dice.name()}@example.com`,
        password: "a quiet garden wall",
        full_name: at.dice.name(),
      },
    }),
    own_name: (at) => ({
      user: at.dice.one(at.actors),
      endpoint: "PATCH /settings",
      params: { full_name: at.dice.name() },
    }),
    visibility: (at) => ({
      user: at.dice.one(at.actors),
      endpoint: "PATCH /settings",
      params: { email_address_visibility: at.dice.one([1, 2, 4, 5]) },
    }),
    time_zone: (at) => ({
      user: at.dice.one(at.actors),
      endpoint: "PATCH /settings",
      params: { timezone: at.dice.one(["Europe/Berlin", "Asia/Tokyo", ""]) },
    }),
    add_bot: (at) => ({
      user: at.dice.one(at.actors),
      endpoint: "POST /bots",
      params: { full_name: at.dice.name(), short_name: at.dice.name(), bot_type: 1 },
    }),
    change_bot: (at) => ({
      user: byAdmin(at),
      endpoint: `PATCH /bots/${bot(at)}`,
      params: at.dice.yes() ? { full_name: at.dice.name() } : { bot_owner_id: at.dice.one(at.actors).id },
    }),
    remove_bot: (at) => ({ user: byAdmin(at), endpoint: `DELETE /bots/${bot(at)}` }),
    restore_bot: (at) => ({ user: byAdmin(at), endpoint: `POST /users/${bot(at)}/reactivate` }),
  };
}

function groupOperations(): Record<string, Make> {
  const customGroups = ({ known }: Stage): JsonRecord[] =>
    known.realm_user_groups.filter((one: JsonRecord) => !one.is_system_group);
  const group = (at: Stage) => at.dice.any(customGroups(at))?.id ?? 0;
  const someone = (at: Stage) => at.dice.one([...at.actors, ...at.targets]).id;
  return {
    add_group: (at) => ({
      user: at.dice.one(at.actors),
      endpoint: "POST /user_groups/create",
      params: {
        name: at.dice.name(),
        description: "",
        members: [someone(at)],
        ...(at.dice.yes() ? { can_mention_group: setting(at) } : {}),
      },
    }),
    change_group: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /user_groups/${group(at)}`,
      params: at.dice.one<TestParams>([
        { name: at.dice.name() },
        { description: at.dice.name() },
        { deactivated: false },
        { can_join_group: { new: setting(at) } },
        { can_manage_group: { new: setting(at) } },
      ]),
    }),
    members: (at) => ({
      user: at.chat.owner,
      endpoint: `POST /user_groups/${group(at)}/members`,
      params: { [at.dice.one(["add", "delete"])]: [someone(at)] },
    }),
    subgroups: (at) => ({
      user: at.chat.owner,
      endpoint: `POST /user_groups/${group(at)}/subgroups`,
      params: { [at.dice.one(["add", "delete"])]: [group(at)] },
    }),
    end_group: (at) => ({ user: at.chat.owner, endpoint: `POST /user_groups/${group(at)}/deactivate` }),
  };
}

function channelOperations(): Record<string, Make> {
  const channel = ({ dice, known }: Stage) => dice.any<JsonRecord>(known.streams)?.stream_id ?? 0;
  const folder = ({ dice, known }: Stage) => dice.any<JsonRecord>(known.channel_folders)?.id ?? null;
  const everyone = (at: Stage) => [...at.actors, ...at.targets].map(({ id }) => id);
  const change = (at: Stage, params: TestParams): Operation => ({
    user: at.chat.owner,
    endpoint: `PATCH /streams/${channel(at)}`,
    params,
  });
  return {
    add_channel: (at) => ({
      user: at.dice.one(at.actors),
      endpoint: "POST /channels/create",
      params: {
        name: at.dice.name(),
        subscribers: everyone(at).filter(() => at.dice.yes()),
        invite_only: at.dice.yes(),
        folder_id: at.dice.yes() ? folder(at) : null,
        ...(at.dice.yes() ? { can_subscribe_group: setting(at) } : {}),
      },
    }),
    rename_channel: (at) => change(at, { new_name: at.dice.name() }),
    describe_channel: (at) => change(at, { description: `*${at.dice.name()}*` }),
    privacy: (at) => change(at, { is_private: at.dice.yes(), is_web_public: false }),
    open_to_web: (at) => change(at, { is_web_public: true, is_private: false }),
    channel_permission: (at) =>
      change(at, {
        [
          at.dice.one([
            ...["can_send_message_group", "can_subscribe_group", "can_add_subscribers_group"],
            ...["can_administer_channel_group", "can_remove_subscribers_group"],
          ] as [string, ...string[]])
        ]: { new: setting(at) },
      }),
    move_to_folder: (at) => change(at, { folder_id: folder(at) }),
    policy: (at) =>
      change(at, { topics_policy: at.dice.one(["inherit", "allow_empty_topic", "disable_empty_topic"]) }),
    archive: (at) => ({ user: at.chat.owner, endpoint: `DELETE /streams/${channel(at)}` }),
    unarchive: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /streams/${1 + at.dice.below(at.known.streams.at(-1)?.stream_id ?? 1)}`,
      params: { is_archived: false },
    }),
    default: (at) => ({
      user: at.chat.owner,
      endpoint: `${at.dice.one(["POST", "DELETE"])} /default_streams`,
      params: { stream_id: channel(at) },
    }),
    add_folder: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /channel_folders/create",
      params: { name: at.dice.name(), description: "**here**" },
    }),
    change_folder: (at) => ({
      user: at.chat.admin,
      endpoint: `PATCH /channel_folders/${folder(at)}`,
      params: at.dice.one<TestParams>([{ name: at.dice.name() }, { description: at.dice.name() }, {
        is_archived: at.dice.yes(),
      }]),
    }),
    reorder_folders: (at) => ({
      user: at.chat.admin,
      endpoint: "PATCH /channel_folders",
      params: { order: at.known.channel_folders.map(({ id }: JsonRecord) => id).toReversed() },
    }),
  };
}
