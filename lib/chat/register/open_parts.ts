import { listFolders } from "../channel_folders/list.ts";
import { listOpenChannels, toOpenChannels } from "../channels/list.ts";
import { channels, defaultChannels, folders, subscriptions } from "./channel_parts.ts";
import { realmEmoji } from "./emoji_parts.ts";
import { linkifiers, oldLinkifiers } from "./linkifier_parts.ts";
import { channelLimits, folderLimits, openOrganization } from "./organization_parts.ts";
import type { OpenCall, Part } from "./part.ts";
import { people } from "./people_parts.ts";
import { externalAccounts, profileFields } from "./profile_field_parts.ts";
import { avatarBound, uploadBounds } from "./upload_parts.ts";

async function readChannels({ app, realm, permissions }: OpenCall) {
  return await toOpenChannels(app, permissions, await listOpenChannels(app, realm));
}

/** The folders of channels that are open; the others' names are nobody else's. */
async function readFolders({ app, realm }: OpenCall) {
  const used = new Set((await listOpenChannels(app, realm)).map(({ folder_id }) => folder_id));
  const all = await listFolders(app, realm, { includeArchived: true });
  return all.filter(({ id }) => used.has(id)).map((folder) => ({ ...folder, creator_id: null }));
}

/** A part of which spectators are given something else than accounts, under some of its names. */
function replaced(part: Part, read: (call: OpenCall) => Promise<object>): Part<OpenCall> {
  return { ...part, read };
}

/** Everything that spectators are given when they register, in the order of the answer; what is not here they are not told. */
export const OPEN_PARTS: readonly Part<OpenCall>[] = [
  openOrganization,
  uploadBounds,
  channelLimits,
  folderLimits,
  replaced(channels, async (call) => ({ streams: await readChannels(call) })),
  replaced(folders, async (call) => ({ channel_folders: await readFolders(call) })),
  replaced(defaultChannels, () => Promise.resolve({ realm_default_streams: [] })),
  replaced(subscriptions, async (call) => ({
    subscriptions: [],
    never_subscribed: await readChannels(call),
    unsubscribed: [],
  })),
  // Messages name who sent them; nobody else is to be known.
  replaced(
    people,
    () => Promise.resolve({ realm_users: [], realm_non_active_users: [], cross_realm_bots: [] }),
  ),
  avatarBound,
  profileFields,
  externalAccounts,
  linkifiers,
  oldLinkifiers,
  realmEmoji,
];
