import { blockHost } from "@/lib/links/manage/blocked_hosts.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { setActive } from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { type AccountName, ACCOUNTS, addAccounts, type CallerName } from "./callers.ts";
import { archiveChannels, createChannels, type MatrixChannels } from "./channels.ts";
import { createCommunity } from "./community.ts";
import { createInvitations } from "./invitations.ts";
import { createMessages } from "./messages.ts";
import { createPersonal, createQueues, createViews } from "./personal.ts";
import { createPolls } from "./polls.ts";
import { createScheduled } from "./scheduled.ts";

/** An object that an operation addresses. */
export interface Target {
  /** Value of the operation's path parameter. */
  readonly id: number | string;
  /** Text that marks the object in lists, and by which some operations address it. */
  readonly name: string;
}

/** An object, or the object of each caller who has one of this kind. */
export type TargetOf = Target | ((caller: CallerName) => Target);

/** The objects of a kind by their visibility. */
export type Targets = Readonly<Record<string, TargetOf>>;

/** An organization with objects of each visibility. */
export interface MatrixOrganization extends AsyncDisposable {
  readonly chat: TestChat;
  readonly accounts: Readonly<Record<AccountName, TestUser>>;
  /** An active member who shares channels with all accounts and created most objects. */
  readonly keeper: TestUser;
  /** An active member who shares no channel or conversation with an account. */
  readonly stranger: TestUser;
  /** Calls a function for each account and returns the results by the account's name. */
  forEachAccount<T>(work: (account: TestUser, name: AccountName) => Promise<T>): Promise<Map<string, T>>;
}

/** Name of no object. */
const NO_NAME = "absent";
/** An object that does not exist. */
const NO_OBJECT: Target = { id: 88_888_888, name: NO_NAME };
/** Objects that do not exist, of kinds whose ids are texts. */
const NO_OBJECTS: Readonly<Record<string, Target>> = {
  address: { id: "nobody@example.com", name: "nobody@example.com" },
  emoji: { id: "emoji_absent", name: "emoji_absent" },
  domain: { id: "absent.example", name: "absent.example" },
  avatar: { id: "absent.png", name: "/avatar/1/absent.png" },
  "emoji-picture": { id: 88_888_888, name: "/emoji/1" },
  "alert-word": { id: NO_NAME, name: NO_NAME },
  view: { id: NO_NAME, name: NO_NAME },
  storage: { id: NO_NAME, name: NO_NAME },
  short: { id: "absent", name: NO_NAME },
  queue: { id: "00000000-0000-4000-8000-000000000000", name: NO_NAME },
  file: { id: "aa/absent.png", name: "/user_uploads/1/aa/absent.png" },
};

/** Returns an object of a kind that does not exist. */
export function missingTarget(kind: string): Target {
  return NO_OBJECTS[kind] ?? NO_OBJECT;
}

/** Returns the id of a caller's object of a kind, or of the object that callers share. */
export function idOf(targets: Targets, name: string, caller: CallerName): number | string {
  const of = targets[name];
  if (of === undefined) throw new Error(`No object is named ${name}`);
  return typeof of === "function" ? of(caller).id : of.id;
}

const ENV = {
  PUSH_BOUNCER_URL: "http://127.0.0.1:9",
  PUSH_ORG_ID: "org",
  PUSH_ORG_KEY: "quiet",
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: "true",
};

/** Starts a server with two organizations whose objects have the names and visibilities of the matrix. */
export async function startOrganization() {
  const chat = await startChat({ env: ENV });
  const accounts = await addAccounts(chat);
  const [keeper, stranger] = [await chat.add("keeper"), await chat.add("stranger")];
  const org: MatrixOrganization = {
    chat,
    accounts,
    keeper,
    stranger,
    async forEachAccount(work) {
      const results = new Map<string, Awaited<ReturnType<typeof work>>>();
      for (const name of ACCOUNTS) results.set(name, await work(accounts[name], name));
      return results;
    },
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
  await permit(org);
  const channels = await createChannels(org);
  const queue = await createQueues(org);
  const conversations = {
    message: await createMessages(org, channels),
    poll: await createPolls(org, channels),
  };
  await archiveChannels(org, channels);
  const targets = {
    nothing: { any: NO_OBJECT },
    short: { stored: await createLink(chat) },
    channel: channels,
    queue,
    ...conversations,
    ...await createCommunity(org),
    ...await createInvitations(org),
    ...await createPersonal(org, channels),
    ...await createScheduled(org),
    ...await createViews(org),
  };
  await openReports(org, channels);
  for (const reader of [keeper, chat.owner]) await succeed(chat, reader, "POST /mark_all_as_read");
  await setActive(chat, accounts.deactivated, false);
  return { org, targets };
}

/** Kinds of objects and their visibilities. */
export type MatrixTargets = Awaited<ReturnType<typeof startOrganization>>["targets"];

/** Permissions that let every member create the objects. */
async function permit({ chat, stranger }: MatrixOrganization): Promise<void> {
  const members = { new: systemGroupId(chat.realm, "role:members") };
  await succeed(chat, chat.owner, "PATCH /realm", {
    enable_spectator_access: true,
    create_multiuse_invite_group: members,
    can_create_web_public_channel_group: { new: systemGroupId(chat.realm, "role:moderators") },
  });
  await succeed(chat, stranger, "PATCH /settings", { email_address_visibility: 4 });
}

/** Chooses the private channel that receives reports of messages. */
async function openReports({ chat }: MatrixOrganization, { shared }: MatrixChannels): Promise<void> {
  await succeed(chat, chat.owner, "PATCH /realm", { moderation_request_channel_id: shared.id });
}

async function createLink(chat: TestChat): Promise<Target> {
  const path = await chat.shorten("https://rose.example/");
  const { links } = chat.services;
  await blockHost(links, "blocked.example", { creator: null, audit: () => {} });
  await links.indexer.sweep();
  return { id: decodeURIComponent(path.slice(1)), name: "https://rose.example/" };
}

/** Returns a target that is the caller's own object, and the one of the others for callers without any. */
export function ownTarget(own: ReadonlyMap<string, Target>, others: Target): TargetOf {
  return (caller) => own.get(caller) ?? others;
}
