import assert from "node:assert/strict";
import { findChannelGrant, listChannelGrants } from "@/lib/chat/organization/channels/model/access.ts";
import {
  byRealm,
  findGrant,
  listHeldGrants,
  listHolders,
} from "@/lib/chat/organization/permissions/model/grants.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { startChat } from "@/tests/helpers/chat.ts";

function idsOf(users: readonly { readonly id: number }[]): readonly number[] {
  return users.map(({ id }) => id).toSorted();
}

Deno.test("listHeldGrants() lists the grant by which findGrant() decides, with reasons for every grant, and listHolders() agrees", async () => {
  await using chat = await startChat();
  const { member, guest, realm } = chat;
  const group = (id: number, members: number[], subgroups: number[]) => ({
    ...{ id, members, subgroups, name: `group ${id}`, description: "", creator_id: null, date_created: 0 },
    ...{ deactivated: false, permissions: {} },
  });
  const groups = new Map([group(501, [], [502]), group(502, [guest.id], [])].map((one) => [one.id, one]));
  const organization = await chat.services.chat.readOrganization(realm.id);
  const permissions = { realm, groups, organization, now: chat.clock.now() };
  const values = [
    501,
    systemGroupId(realm, "role:moderators"),
    { direct_members: [member.id, guest.id], direct_subgroups: [501, systemGroupId(realm, "role:owners")] },
  ];
  const users = await listUsers(chat.services.chat, realm.id);
  let held = 0;
  for (const value of values) {
    for (const { setting } of permissionRules("channel")) {
      const owner = { permissions: { [setting]: value }, invite_only: true, is_web_public: false };
      const grants = listChannelGrants(owner, setting);
      for (const user of users) {
        const all = listHeldGrants(permissions, { kind: "channel", owner, grants }, user);
        assert.deepEqual(
          all[0]?.grant ?? null,
          findChannelGrant(permissions, { channel: owner, user }, setting),
        );
        assert.ok(all.every(({ inclusions }) => inclusions.length > 0));
        held += all.length;
      }
      const granted = { kind: "channel", owner, grants } as const;
      const holders = users.filter((user) => findGrant(permissions, granted, user) !== null);
      assert.deepEqual([...listHolders(permissions, granted, users)].toSorted(), idsOf(holders));
    }
  }
  assert.ok(held > 100);
  for (const { setting } of permissionRules("realm")) {
    const granted = { kind: "realm", owner: realm, grants: [byRealm(setting)] } as const;
    for (const user of users) {
      const [first] = listHeldGrants(permissions, granted, user);
      assert.deepEqual(first?.grant ?? null, findGrant(permissions, granted, user));
    }
  }
});
