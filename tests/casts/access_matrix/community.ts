import assert from "node:assert/strict";
import { listExports, requestExport } from "@/tests/casts/exports_cast.ts";
import { createLinkifier } from "@/tests/casts/linkifiers_cast.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";
import { createField } from "@/tests/casts/profile_fields_cast.ts";
import { makeGroup, setActive, systemGroup } from "@/tests/casts/user_groups_cast.ts";
import { addEmoji } from "@/tests/casts/user_status_cast.ts";
import type { TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { type MatrixOrganization, ownTarget, type Target } from "./organization.ts";

/** Creates the users, groups, bots and settings of the organization that operations address. */
export async function createCommunity(org: MatrixOrganization) {
  return {
    ...await createUsers(org),
    group: await createGroups(org),
    folder: await createFolders(org),
    linkifier: await createLinkifiers(org),
    playground: await createPlaygrounds(org),
    field: await createFields(org),
    ...await createEmoji(org),
    domain: await createDomains(org),
    export: await createExports(org),
  };
}

/** Returns a target for an account, named in full as the cast names it. */
function toTarget({ id, email }: TestUser): Target {
  const name = email.split("@")[0] ?? "";
  return { id, name: `${name[0]?.toUpperCase()}${name.slice(1)}` };
}

function toAddress({ email }: TestUser): Target {
  return { id: email, name: email };
}

async function createUsers(org: MatrixOrganization) {
  const { chat, accounts, keeper, stranger } = org;
  const former = await chat.add("former");
  await setActive(chat, former, false);
  const bots = await createBots(org);
  for (const user of [keeper, stranger]) {
    await succeed(chat, user, "POST /users/me/presence", { status: "active" });
  }
  for (const account of Object.values(accounts)) {
    await succeed(chat, account, `POST /users/me/muted_users/${bots.others.id}`);
  }
  const own = Object.entries(accounts);
  return {
    user: {
      self: ownTarget(new Map(own.map(([name, user]) => [name, toTarget(user)])), toTarget(keeper)),
      "shares-channel": toTarget(keeper),
      "shares-nothing": toTarget(stranger),
      owner: toTarget(chat.owner),
      bot: bots.others,
      deactivated: toTarget(former),
      foreign: toTarget(chat.outsider),
    },
    address: {
      self: ownTarget(new Map(own.map(([name, user]) => [name, toAddress(user)])), toAddress(keeper)),
      shown: toAddress(keeper),
      hidden: toAddress(stranger),
      deactivated: toAddress(former),
      foreign: toAddress(chat.outsider),
    },
    bot: bots,
  };
}

async function createBots({ chat, accounts, keeper, stranger }: MatrixOrganization) {
  const create = async (by: TestUser, name: string): Promise<Target> => {
    const sent = { full_name: `Bot ${name}`, short_name: `bot-${name}` };
    return { id: (await succeed(chat, by, "POST /bots", sent)).user_id, name: sent.full_name };
  };
  const others = await create(keeper, "Keeper");
  const own = new Map<string, Target>();
  for (const name of ["member", "moderator", "admin", "owner", "deactivated"] as const) {
    own.set(name, await create(accounts[name], name));
  }
  const deactivated = await create(keeper, "Retired");
  await succeed(chat, keeper, `DELETE /bots/${deactivated.id}`);
  return {
    own: ownTarget(own, others),
    others,
    deactivated,
    "no-bot": toTarget(stranger),
    foreign: await create(chat.outsider, "Foreign"),
  };
}

async function createGroups(org: MatrixOrganization) {
  const { chat, accounts, keeper } = org;
  const create = async (name: string, by: TestUser, params: TestParams = {}): Promise<Target> => {
    return { id: await makeGroup(chat, by, { name: `group ${name}`, ...params }), name: `group ${name}` };
  };
  await succeed(chat, chat.owner, "PATCH /realm", {
    can_create_groups: { new: systemGroup(chat, "role:members") },
  });
  const all = Object.values(accounts).map(({ id }) => id);
  const managed = { can_manage_group: { direct_members: all, direct_subgroups: [] } };
  const members = [keeper.id, ...all];
  const inactive = await create("inactive", keeper);
  await succeed(chat, keeper, `POST /user_groups/${inactive.id}/deactivate`);
  return {
    active: await create("active", keeper),
    managed: await create("managed", keeper, managed),
    member: await create("member", keeper, { members }),
    deactivated: inactive,
    system: { id: systemGroup(chat, "role:moderators"), name: "role:moderators" },
    foreign: await create("foreign", chat.outsider),
  };
}

async function createFolders({ chat }: MatrixOrganization) {
  const create = async (name: string, by: TestUser): Promise<Target> => {
    const sent = { name: `folder ${name}`, description: "" };
    const { channel_folder_id } = await succeed(chat, by, "POST /channel_folders/create", sent);
    return { id: channel_folder_id, name: sent.name };
  };
  const archived = await create("archived", chat.admin);
  await succeed(chat, chat.admin, `PATCH /channel_folders/${archived.id}`, { is_archived: true });
  return {
    active: await create("active", chat.admin),
    archived,
    foreign: await create("foreign", chat.outsider),
  };
}

async function createLinkifiers({ chat }: MatrixOrganization) {
  const create = async (pattern: string, by: TestUser): Promise<Target> => {
    const url_template = "https://x.example/";
    return { id: await createLinkifier(chat, { pattern, url_template }, by), name: pattern };
  };
  return { active: await create("LINKIFIER", chat.admin), foreign: await create("FOREIGN", chat.outsider) };
}

async function createPlaygrounds({ chat }: MatrixOrganization) {
  const create = async (name: string, by: TestUser): Promise<Target> => {
    const sent = { name, pygments_language: "Python", url_template: "https://x.example/{code}" };
    return { id: (await succeed(chat, by, "POST /realm/playgrounds", sent)).id, name };
  };
  return {
    active: await create("own playground", chat.admin),
    foreign: await create("foreign playground", chat.outsider),
  };
}

async function createExports({ chat }: MatrixOrganization) {
  const create = async (by: TestUser): Promise<Target> => {
    const id = await requestExport(chat, by);
    await chat.services.exports.sweep();
    return { id, name: (await listExports(chat, by)).at(-1)?.export_url ?? "no archive" };
  };
  return { complete: await create(chat.admin), foreign: await create(chat.outsider) };
}

async function createFields({ chat }: MatrixOrganization) {
  const create = async (name: string, params: TestParams = {}): Promise<Target> => {
    return { id: await createField(chat, { name: `field ${name}`, ...params }), name: `field ${name}` };
  };
  const sent = { name: "field foreign", field_type: 1 };
  const { id } = await succeed(chat, chat.outsider, "POST /realm/profile_fields", sent);
  return {
    editable: await create("editable"),
    fixed: await create("fixed", { editable_by_user: false }),
    foreign: { id, name: sent.name },
  };
}

async function createEmoji(org: MatrixOrganization) {
  const { chat, keeper } = org;
  const own = new Map<string, Target>();
  for (const name of ["member", "moderator", "admin", "owner"] as const) {
    await addEmoji(chat, org.accounts[name], `emoji_${name}`);
    own.set(name, { id: `emoji_${name}`, name: `emoji_${name}` });
  }
  const code = await addEmoji(chat, keeper, "emoji_others");
  const foreignCode = await addEmoji(chat, chat.outsider, "emoji_foreign");
  const others = { id: "emoji_others", name: "emoji_others" };
  const foreign = { id: "emoji_foreign", name: "emoji_foreign" };
  return {
    emoji: { own: ownTarget(own, others), others, foreign },
    "emoji-picture": {
      active: { id: code, name: `/emoji/${chat.realm.id}` },
      foreign: { id: foreignCode, name: `/emoji/${chat.outsider.realm.id}` },
    },
    avatar: await uploadAvatars(org),
  };
}

async function uploadAvatars({ chat, keeper }: MatrixOrganization) {
  assert.equal((await postFiles(chat, keeper, "/users/me/avatar", [file(PNG)])).status, 200);
  const { user } = await succeed(chat, chat.owner, `GET /users/${keeper.id}`);
  const path = new URL(user.avatar_url, "http://localhost").pathname;
  return { uploaded: { id: path.split("/").at(-1) ?? "", name: path } };
}

async function createDomains({ chat }: MatrixOrganization) {
  const create = async (domain: string, by: TestUser): Promise<Target> => {
    await succeed(chat, by, "POST /realm/domains", { domain, allow_subdomains: false });
    return { id: domain, name: domain };
  };
  return {
    listed: await create("listed.example", chat.owner),
    foreign: await create("foreign.example", chat.outsider),
  };
}
