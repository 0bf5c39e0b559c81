import { send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import type { TestUser } from "@/tests/helpers/chat.ts";
import { joinChannels, type MatrixChannels } from "./channels.ts";
import { type MatrixOrganization, ownTarget, type Target } from "./organization.ts";

/** Creates the messages of each visibility; accounts join their channels between the earlier and later ones. */
export async function createMessages(org: MatrixOrganization, channels: MatrixChannels) {
  const { chat, accounts, keeper, stranger } = org;
  const post = async (channel: keyof MatrixChannels, name: string, by = keeper): Promise<Target> => {
    const content = `message ${name}`;
    return { id: await send(chat, by, { to: Number(channels[channel].id), content }), name: content };
  };
  const write = async (name: string, to: readonly TestUser[]) => {
    const content = `direct message ${name}`;
    return { id: await sendDirect(chat, keeper, to, content), name: content };
  };
  const earlier = {
    "shared-earlier": await post("shared-joined", "shared earlier"),
    "protected-earlier": await post("protected-joined", "protected earlier"),
  };
  await joinChannels(org, channels);
  const own = await org.forEachAccount((account, name) => post("public-joined", `own ${name}`, account));
  await reactToOwn(org, own);
  return {
    "web-public": await post("web-public", "web"),
    public: await post("public", "public"),
    "public-joined": await post("public-joined", "joined"),
    own: ownTarget(own, await post("public-joined", "another")),
    shared: await post("shared", "shared"),
    ...earlier,
    protected: await post("protected", "protected"),
    "protected-joined": await post("protected-joined", "protected joined"),
    administered: await post("administered", "administered"),
    "archived-joined": await post("archived-joined", "archived joined"),
    archived: await post("archived", "archived"),
    direct: await write("to all", Object.values(accounts)),
    "direct-others": await write("to others", [stranger]),
    foreign: await post("foreign", "foreign", chat.outsider),
  };
}

/** Adds a reaction of each account to its own message. */
async function reactToOwn({ chat, accounts }: MatrixOrganization, own: ReadonlyMap<string, Target>) {
  for (const [name, account] of Object.entries(accounts)) {
    await succeed(chat, account, `POST /messages/${own.get(name)?.id}/reactions`, { emoji_name: "heart" });
  }
}
