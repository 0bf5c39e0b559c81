import type { TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import type { MatrixOrganization, Target } from "./organization.ts";

/** The channels of the matrix by their visibility to the callers. */
export type MatrixChannels = Awaited<ReturnType<typeof createChannels>>;

const SHARED = { invite_only: true, history_public_to_subscribers: true };
const PROTECTED = { invite_only: true, history_public_to_subscribers: false };

/**
 * Creates the channels. The accounts subscribe to those named "joined", each of which holds a message that was
 * sent before; only the keeper and the stranger are in the others.
 */
export async function createChannels(org: MatrixOrganization) {
  const { chat, accounts, keeper, stranger } = org;
  const create = async (name: string, by: TestUser, params: TestParams = {}): Promise<Target> => {
    const sent = { name: `channel ${name}`, subscribers: [by.id], ...params };
    return { id: (await succeed(chat, by, "POST /channels/create", sent)).id, name: sent.name };
  };
  const all = Object.values(accounts).map(({ id }) => id);
  const administered = { can_administer_channel_group: { direct_members: all, direct_subgroups: [] } };
  const channels = {
    "web-public": await create("web", chat.moderator, { is_web_public: true, subscribers: [keeper.id] }),
    public: await create("public", keeper, { subscribers: [keeper.id, stranger.id] }),
    "public-joined": await create("public joined", keeper),
    shared: await create("shared", keeper, SHARED),
    "shared-joined": await create("shared joined", keeper, SHARED),
    protected: await create("protected", keeper, PROTECTED),
    "protected-joined": await create("protected joined", keeper, PROTECTED),
    administered: await create("administered", keeper, { ...SHARED, ...administered }),
    "archived-joined": await create("archived joined", keeper),
    archived: await create("archived", keeper, SHARED),
    foreign: await create("foreign", chat.outsider),
  };
  return channels;
}

/** Subscribes all accounts to the channels that they joined. */
export async function joinChannels({ chat, accounts, keeper }: MatrixOrganization, channels: MatrixChannels) {
  const joined = Object.entries(channels).filter(([name]) => name.endsWith("-joined"));
  await succeed(chat, keeper, "POST /users/me/subscriptions", {
    subscriptions: joined.map(([, { name }]) => ({ name })),
    principals: Object.values(accounts).map(({ id }) => id),
  });
}

/** Archives the channels that are archived. */
export async function archiveChannels({ chat, keeper }: MatrixOrganization, channels: MatrixChannels) {
  for (const { id } of [channels["archived-joined"], channels.archived]) {
    await succeed(chat, keeper, `DELETE /streams/${id}`);
  }
}
