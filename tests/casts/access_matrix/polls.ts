import { send, sendDirect } from "@/tests/casts/messages_cast.ts";
import type { TestUser } from "@/tests/helpers/chat.ts";
import type { MatrixChannels } from "./channels.ts";
import { type MatrixOrganization, ownTarget, type Target } from "./organization.ts";

/** Creates polls of each visibility, and a message that is none. */
export async function createPolls(org: MatrixOrganization, channels: MatrixChannels) {
  const { chat, accounts, keeper, stranger } = org;
  const post = async (channel: keyof MatrixChannels, content: string, by = keeper): Promise<Target> => ({
    id: await send(chat, by, { to: Number(channels[channel].id), content }),
    name: content,
  });
  const write = async (content: string, to: readonly TestUser[]): Promise<Target> => ({
    id: await sendDirect(chat, keeper, to, content),
    name: content,
  });
  const own = await org.forEachAccount((account, name) =>
    post("public-joined", `/poll Own ${name}`, account)
  );
  const joined = await post("public-joined", "/poll Joined");
  return {
    own: ownTarget(own, joined),
    "public-joined": joined,
    public: await post("public", "/poll Public"),
    shared: await post("shared", "/poll Shared"),
    "archived-joined": await post("archived-joined", "/poll Archived"),
    direct: await write("/poll Direct", Object.values(accounts)),
    "direct-others": await write("/poll Others", [stranger]),
    foreign: await post("foreign", "/poll Foreign", chat.outsider),
    "no-poll": await post("public-joined", "poll"),
  };
}
