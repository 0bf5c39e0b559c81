import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { canAccessAllUsers, filterAccessible } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { ProfileData } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import { listProfileData, readProfileData } from "@/lib/chat/people/profile_fields/store.ts";
import { JsonList } from "@/lib/core/json_pieces.ts";

import { mapInSlices, yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { toUserView, type UserViewOptions } from "./api.ts";
import {
  type Caller,
  canSeeEmail,
  type EmailVisibility,
  type UserList,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import {
  getAccessibleUser,
  listUsers,
  readUserList,
  readUsers,
} from "@/lib/chat/organization/users/store.ts";

/** @throws AppError BAD_REQUEST when the caller cannot access the user. */
export async function getUserForCaller(
  app: ChatApp,
  caller: Caller,
  { name, options }: { name: string; options: UserViewOptions },
) {
  const user = await getAccessibleUser(app, caller, name);
  const profile = options.include_custom_profile_fields
    ? await readProfileData(app, caller.realm.id, user.id)
    : {};
  return toUserView(app, { ...caller, options, getProfile: () => profile }, user);
}

/** Number of users whose texts are joined. */
const CHUNK_LENGTH = 100;
/** Number of chunks that are serialized before the event loop takes its turn. */
const CHUNKS_AT_ONCE = 5;
/** Id that no user has. */
const NOBODY = -1;

type UserSelection = "all" | "active" | "inactive";

/** Texts of users for viewers who see the same of everyone but themselves. */
interface UserTexts {
  readonly size: number;
  /** Users joined with commas, sorted by id. */
  readonly chunks: readonly { readonly firstId: number; readonly text: string }[];
}

interface UserListing {
  readonly list: UserList;
  readonly selection: UserSelection;
  readonly options: UserViewOptions;
}

/**
 * Returns the users of an organization as `toUserView` shows them, serialized, to a caller who can access all of
 * them. Viewers who see the same addresses share the texts, which are kept while no user and no profile changes.
 */
export async function listUserTexts(app: ChatApp, caller: Caller, listing: UserListing): Promise<JsonList> {
  const { list, selection, options } = listing;
  const { realm, actingUser } = caller;
  const profiles = options.include_custom_profile_fields ? await listProfileData(app, realm.id) : null;
  const kind = `${selection} ${options.client_gravatar} ${options.include_custom_profile_fields}`;
  const emails = listVisibleEmails(actingUser, list).join(",");
  const name = `user texts ${realm.id} ${realmUrl(app, realm)} ${kind} ${emails}`;
  const build = () => buildTexts(app, caller, { ...listing, profiles });
  const { chunks } = await app.cache.get(name, [list, profiles], build);
  return new JsonList(replaceOwn(app, caller, { ...listing, chunks }));
}

/** Returns the audiences of addresses that a viewer is in; addresses of bots are public. */
function listVisibleEmails(viewer: UserRecord, { byVisibility }: UserList): readonly EmailVisibility[] {
  const stranger = toStranger(viewer);
  const visible = [...byVisibility].filter(([, user]) => canSeeEmail(stranger, user));
  return visible.map(([visibility]) => visibility).sort((a, b) => a - b);
}

/** Returns a viewer with the same role, but with no account of their own among the users. */
function toStranger(viewer: UserRecord): UserRecord {
  return { ...viewer, id: NOBODY };
}

async function buildTexts(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { list, selection, options, profiles }: UserListing & { profiles: ReadonlyMap<number, ProfileData> | null },
): Promise<UserTexts> {
  // The list of users has taken its part of this turn.
  await yieldToEventLoop();
  const viewer = {
    realm,
    actingUser: toStranger(actingUser),
    options,
    getProfile: (id: number) => profiles?.get(id),
  };
  const toText = (user: UserRecord) => JSON.stringify(toUserView(app, viewer, user));
  const selected = list.users.filter((user) =>
    selection === "all" || user.is_active === (selection === "active")
  );
  const chunks = await mapInSlices(chunk(selected, CHUNK_LENGTH), (users) => {
    return { firstId: users[0]?.id ?? NOBODY, text: users.map(toText).join(",") };
  }, CHUNKS_AT_ONCE);
  return { chunks, size: chunks.reduce((size, { text }) => size + text.length, 0) };
}

/** Returns the texts of chunks with the caller's own user as they see it themselves. */
function replaceOwn(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { list, options, chunks }: UserListing & Pick<UserTexts, "chunks">,
): readonly string[] {
  const texts = chunks.map(({ text }) => text);
  const own = list.users.find(({ id }) => id === actingUser.id);
  const at = chunks.findLastIndex(({ firstId }) => firstId <= actingUser.id);
  const text = texts[at];
  if (own === undefined || text === undefined) return texts;
  // Profile fields come last and are the same for every viewer.
  const toFields = (viewer: UserRecord) => {
    const fields = { ...options, include_custom_profile_fields: false };
    const context = { realm, actingUser: viewer, options: fields, getProfile: () => undefined };
    return JSON.stringify(toUserView(app, context, own)).slice(0, -1);
  };
  // A function, as a text may hold patterns of replacements.
  return texts.with(at, text.replace(toFields(toStranger(actingUser)), () => toFields(actingUser)));
}

/** Returns the accessible users by id, with bots and deactivated ones; with `ids` only these. */
export async function listUsersForCaller(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { ids, options }: { ids: readonly number[] | undefined; options: UserViewOptions },
): Promise<JsonList | readonly ReturnType<typeof toUserView>[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  if (ids === undefined && canAccessAllUsers(permissions, actingUser)) {
    const listing = { list: await readUserList(app, realm.id), selection: "all", options } as const;
    return await listUserTexts(app, { realm, actingUser }, listing);
  }
  const users = ids === undefined
    ? await listUsers(app, realm.id)
    : [...(await readUsers(app, realm.id, [...ids].sort((a, b) => a - b))).values()];
  const accessible = filterAccessible(permissions, actingUser, users);
  const read = async ({ id }: UserRecord) => [id, await readProfileData(app, realm.id, id)] as const;
  const profiles = !options.include_custom_profile_fields
    ? new Map<number, ProfileData>()
    : ids === undefined
    ? await listProfileData(app, realm.id)
    : new Map(await Promise.all(accessible.map(read)));
  const viewer = { realm, actingUser, options, getProfile: (id: number) => profiles.get(id) };
  return await mapInSlices(accessible, (user) => toUserView(app, viewer, user));
}
