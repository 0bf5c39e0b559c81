import assert from "node:assert/strict";
import {
  changePermissions,
  createPermissions,
  MAX_DIRECT_SUBGROUPS,
  permissionsOf,
  updateGroupUses,
} from "@/lib/chat/organization/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { type PermissionRule, permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  SYSTEM_GROUPS,
  systemGroupId,
  type SystemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { createGroup } from "@/lib/chat/organization/user_groups/change_group.ts";
import { groupKeys } from "@/lib/chat/organization/user_groups/model/group.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { callerOf } from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

/** Default and rejected groups of each permission, besides role:internet, from the specification and the reference. */
const REFERENCE: Readonly<Record<string, readonly [defaultGroup: string, rejected: string]>> = {
  "user_group can_add_members_group": ["creator", "everyone"],
  "user_group can_join_group": ["nobody", "everyone"],
  "user_group can_leave_group": ["everyone", ""],
  "user_group can_manage_group": ["creator", "everyone"],
  "user_group can_mention_group": ["everyone", "owners"],
  "user_group can_remove_members_group": ["nobody", "everyone"],
  "channel can_add_subscribers_group": ["nobody", "everyone"],
  "channel can_administer_channel_group": ["creator", "everyone"],
  "channel can_create_topic_group": ["everyone", ""],
  "channel can_delete_any_message_group": ["nobody", ""],
  "channel can_delete_own_message_group": ["nobody", ""],
  "channel can_move_messages_out_of_channel_group": ["nobody", ""],
  "channel can_move_messages_within_channel_group": ["nobody", ""],
  "channel can_remove_subscribers_group": ["administrators", ""],
  "channel can_resolve_topics_group": ["nobody", ""],
  "channel can_send_message_group": ["everyone", ""],
  "channel can_subscribe_group": ["nobody", "everyone"],
  "realm can_access_all_users_group": ["everyone", "nobody owners administrators moderators fullmembers"],
  "realm can_add_custom_emoji_group": ["members", "everyone"],
  "realm can_add_subscribers_group": ["members", "everyone"],
  "realm can_create_groups": ["members", "everyone"],
  "realm can_create_private_channel_group": ["members", "everyone"],
  "realm can_create_public_channel_group": ["members", "everyone"],
  "realm can_create_web_public_channel_group": ["owners", "everyone members fullmembers"],
  "realm can_delete_any_message_group": ["administrators", "everyone"],
  "realm can_delete_own_message_group": ["everyone", ""],
  "realm can_invite_users_group": ["members", "everyone"],
  "realm can_manage_all_groups": ["owners", "everyone nobody"],
  "realm can_mention_many_users_group": ["administrators", ""],
  "realm can_move_messages_between_channels_group": ["moderators", "everyone"],
  "realm can_move_messages_between_topics_group": ["members", ""],
  "realm can_resolve_topics_group": ["members", ""],
  "realm can_set_delete_message_policy_group": ["moderators", "everyone"],
  "realm can_set_topics_policy_group": ["members", ""],
  "realm create_multiuse_invite_group": ["administrators", "everyone"],
  "realm direct_message_initiator_group": ["everyone", ""],
  "realm direct_message_permission_group": ["everyone", ""],
};

function referenceOf(owner: string, setting: string): readonly [defaultGroup: string, rejected: string] {
  const found = REFERENCE[`${owner} ${setting}`];
  assert.ok(found !== undefined, `${owner} ${setting}`);
  return found;
}

function isRejected({ owner, setting }: PermissionRule, name: SystemGroupName): boolean {
  const [, rejected] = referenceOf(owner, setting);
  return name === "role:internet" || rejected.split(" ").includes(name.slice("role:".length));
}

/** Runs `work` in a transaction, with the permission context. */
function inContext<T>(
  { services, realm }: TestChat,
  work: (tx: Tx, permissions: PermissionContext) => T | Promise<T>,
): Promise<T> {
  const { chat: app } = services;
  return transact(
    app.store,
    async (tx) => await work(tx, permissionsOf(await tx.organization(realm.id), app.clock)),
  );
}

/** Returns the kind, owner and setting of each use of a group. */
async function usesOf({ services, realm }: TestChat, group: number): Promise<unknown[]> {
  const entries = await Array.fromAsync(
    services.store.kv.list({ prefix: [...groupKeys.uses(realm.id, group)] }),
  );
  return entries.map(({ key }) => key.slice(-3));
}

async function makeGroup(chat: TestChat, name: string): Promise<number> {
  const caller = await callerOf(chat, chat.owner);
  const group = { name, description: "", members: [], subgroups: [], permissions: {} };
  return (await createGroup(chat.services.chat, caller, group)).id;
}

const OWNERS = ["realm", "channel", "user_group"] as const;

Deno.test("every permission accepts and rejects the specified system groups, as a value and in an update, in both forms", async () => {
  await using chat = await startChat();
  const all = OWNERS.flatMap(permissionRules);
  assert.equal(all.length, Object.keys(REFERENCE).length);
  const changed = (tx: Tx, permissions: PermissionContext, rule: PermissionRule, value: object | number) => {
    const holder = { kind: rule.owner, id: 900, permissions: { [rule.setting]: 777 } };
    return changePermissions(tx, permissions, {
      holder,
      updates: { [rule.setting]: { new: toSetting(value) } },
    });
  };
  await inContext(chat, (tx, permissions) => {
    for (const rule of all) {
      for (const { name } of SYSTEM_GROUPS) {
        const id = systemGroupId(chat.realm, name);
        for (const value of [id, { direct_members: [], direct_subgroups: [id, id] }]) {
          const creation = {
            kind: rule.owner,
            id: 901,
            sent: { [rule.setting]: toSetting(value) },
            creatorId: chat.owner.id,
          };
          const attempts = [
            () => createPermissions(tx, permissions, creation),
            () => changed(tx, permissions, rule, value).changed,
          ];
          for (const attempt of attempts) {
            if (isRejected(rule, name)) {
              const message = `'${rule.setting}' setting cannot be set to '${name}' group.`;
              assert.throws(attempt, { code: "BAD_REQUEST", message });
            } else {
              assert.equal(attempt()[rule.setting], id);
            }
          }
        }
      }
    }
  });
});

function toSetting(value: object | number) {
  if (typeof value === "number") return value;
  assert.ok("direct_members" in value && "direct_subgroups" in value);
  const list = (ids: unknown) => {
    assert.ok(Array.isArray(ids));
    return ids.map(Number);
  };
  return { direct_members: list(value.direct_members), direct_subgroups: list(value.direct_subgroups) };
}

Deno.test("createPermissions() returns the reference's defaults, with the creator where the default is the creator", async () => {
  await using chat = await startChat();
  const own = { direct_members: [chat.member.id], direct_subgroups: [] };
  await inContext(chat, (tx, permissions) => {
    for (const kind of OWNERS) {
      const created = createPermissions(tx, permissions, {
        kind,
        id: 900,
        sent: {},
        creatorId: chat.member.id,
      });
      const rules = permissionRules(kind);
      assert.deepEqual(Object.keys(created), rules.map((rule) => rule.setting));
      for (const { setting } of rules) {
        const [defaultGroup] = referenceOf(kind, setting);
        const name = SYSTEM_GROUPS.find((group) => group.name === `role:${defaultGroup}`)?.name;
        assert.deepEqual(
          created[setting],
          name === undefined ? own : systemGroupId(chat.realm, name),
          setting,
        );
      }
    }
  });
});

Deno.test("a permission restricted to system groups rejects custom groups and users", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, "made");
  await inContext(chat, (tx, permissions) => {
    const setting = "can_create_web_public_channel_group";
    const holder = { kind: "realm", id: chat.realm.id, permissions: {} } as const;
    const change = (value: number | { direct_members: number[]; direct_subgroups: number[] }) =>
      changePermissions(tx, permissions, { holder, updates: { [setting]: { new: value } } });
    const refusal = {
      code: "SYSTEM_GROUP_REQUIRED",
      message: `'${setting}' must be a system user group.`,
      details: { field: setting, extra: { setting_name: setting } },
    };
    assert.throws(() => change(id), refusal);
    assert.throws(() => change({ direct_members: [chat.owner.id], direct_subgroups: [] }), refusal);
    assert.throws(() => change(777), { message: "Invalid user group" });
  });
});

Deno.test("changePermissions() adds used groups to the index and removes those no longer used", async () => {
  await using chat = await startChat();
  const [one, two] = [await makeGroup(chat, "one"), await makeGroup(chat, "two")];
  const named = { direct_members: [chat.owner.id], direct_subgroups: [one, two] };
  const holder = { kind: "channel", id: 5, permissions: {} } as const;
  const updates = { can_send_message_group: { new: named }, can_subscribe_group: { new: one } };
  const { permissions, changed } = await inContext(
    chat,
    (tx, permissions) => changePermissions(tx, permissions, { holder, updates }),
  );
  assert.deepEqual(changed, { can_send_message_group: named, can_subscribe_group: one });
  assert.deepEqual(permissions, changed);
  const uses = [["channel", 5, "can_send_message_group"], ["channel", 5, "can_subscribe_group"]];
  assert.deepEqual(await usesOf(chat, one), uses);
  assert.deepEqual(await usesOf(chat, two), uses.slice(0, 1));
  const later = { can_send_message_group: { new: two, old: { ...named, direct_subgroups: [two, one] } } };
  await inContext(
    chat,
    (tx, context) => changePermissions(tx, context, { holder: { ...holder, permissions }, updates: later }),
  );
  assert.deepEqual(await usesOf(chat, one), uses.slice(1));
  assert.deepEqual(await usesOf(chat, two), uses.slice(0, 1));
  const last = { can_send_message_group: two, can_subscribe_group: one };
  await inContext(
    chat,
    (tx, permissions) => {
      updateGroupUses(tx, permissions, { holder: { ...holder, permissions: last }, after: {} });
    },
  );
  assert.deepEqual([await usesOf(chat, one), await usesOf(chat, two)], [[], []]);
});

Deno.test("changing all permissions of a channel, each with the maximum number of groups, fits into one commit", async () => {
  await using chat = await startChat();
  const full = (from: number) =>
    Object.fromEntries(
      permissionRules("channel").map(({ setting }, at) => {
        const direct_subgroups = Array.from({ length: MAX_DIRECT_SUBGROUPS }, (_, group) =>
          from + 100 * at + group);
        return [setting, { direct_members: [], direct_subgroups }];
      }),
    );
  const id = 2 ** 30;
  const holder = { kind: "channel", id, permissions: full(id) } as const;
  await inContext(
    chat,
    (tx, permissions) => {
      updateGroupUses(tx, permissions, { holder: { ...holder, permissions: {} }, after: full(id) });
    },
  );
  await inContext(
    chat,
    (tx, permissions) => {
      updateGroupUses(tx, permissions, { holder, after: full(2 * id) });
    },
  );
  assert.deepEqual([(await usesOf(chat, id)).length, (await usesOf(chat, 2 * id)).length], [0, 1]);
});

Deno.test("changePermissions() indexes no uses of an inactive owner", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, "one");
  const holder = { kind: "channel", id: 5, permissions: {}, isInactive: true } as const;
  const updates = { can_subscribe_group: { new: id } };
  await inContext(chat, (tx, permissions) => changePermissions(tx, permissions, { holder, updates }));
  assert.deepEqual(await usesOf(chat, id), []);
});
