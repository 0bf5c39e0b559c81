import { registerClient } from "@/tests/casts/events_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { PNG } from "@/tests/casts/pictures_cast.ts";
import { send, sendDirect } from "@/tests/casts/messages_cast.ts";
import type { TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import type { MatrixChannels } from "./channels.ts";
import { type MatrixOrganization, ownTarget, type Target, type TargetOf } from "./organization.ts";

/** Creates what belongs to single users: drafts, snippets, devices, queues and files. */
export async function createPersonal(org: MatrixOrganization, channels: MatrixChannels) {
  const { chat } = org;
  const draft = (content: string) => ({ drafts: [{ type: "", to: [], topic: "", content }] });
  const add = async (user: TestUser, endpoint: string, params?: TestParams) =>
    await succeed(chat, user, endpoint, params);
  return {
    draft: await createForEach(
      org,
      "draft",
      async (user, name) => (await add(user, "POST /drafts", draft(name))).ids[0],
    ),
    snippet: await createForEach(
      org,
      "snippet",
      async (user, title) =>
        (await add(user, "POST /saved_snippets", { title, content: title })).saved_snippet_id,
    ),
    device: await createForEach(
      org,
      "device",
      async (user) => (await add(user, "POST /register_client_device")).device_id,
      ["bot"],
    ),
    "alert-word": await createForEach(org, "word", async (user, name) => {
      await add(user, "POST /users/me/alert_words", { alert_words: [name] });
      return name;
    }),
    storage: await createStorage(org),
    ...await createFiles(org, channels),
  };
}

/** Stores a value of the matrix's bot, of another one and of one of the other organization. */
async function createStorage({ chat }: MatrixOrganization) {
  const store = async (bot: TestUser, name: string): Promise<Target> => {
    await succeed(chat, bot, "PUT /bot_storage", { storage: { [name]: "value" } });
    return { id: name, name };
  };
  const { outsider } = chat;
  const sent = { full_name: "Bot Storing", short_name: "storing" };
  const { user_id: id, api_key: apiKey } = await succeed(chat, outsider, "POST /bots", sent);
  const { bots } = await succeed(chat, outsider, "GET /bots");
  const { username: email } = bots.find(({ user_id }: { user_id: number }) => user_id === id);
  return {
    own: await store(chat.bot, "stored own"),
    others: await store(await chat.add("storing", 400, 1), "stored others"),
    foreign: await store({ id, apiKey, email, realm: outsider.realm }, "stored foreign"),
  };
}

/** Creates navigation views of users. */
export async function createViews(org: MatrixOrganization) {
  return {
    view: await createForEach(org, "view", async (user, name) => {
      await succeed(org.chat, user, "POST /navigation_views", { fragment: name, is_pinned: false, name });
      return name;
    }),
  };
}

/** Creates event queues for messages. */
export async function createQueues(org: MatrixOrganization) {
  const toMessages = { event_types: ["message"] };
  return await createForEach(
    org,
    "queue",
    async (user) => (await registerClient(org.chat, user, toMessages)).queueId,
  );
}

/** Creates an object of each account, of the keeper and of the other organization's owner. */
export async function createForEach(
  org: MatrixOrganization,
  kind: string,
  create: (user: TestUser, name: string) => Promise<number | string>,
  without: readonly string[] = [],
) {
  const toTarget = async (user: TestUser, owner: string): Promise<Target> => {
    const name = `${kind} of ${owner}`;
    return { id: await create(user, name), name };
  };
  const own = new Map<string, Target>();
  for (const [name, account] of Object.entries(org.accounts)) {
    if (!without.includes(name)) own.set(name, await toTarget(account, name));
  }
  const others = await toTarget(org.keeper, "others");
  const foreign = await toTarget(org.chat.outsider, "foreign");
  return { own: ownTarget(own, others), others, foreign };
}

function toFile(url: string): Target {
  return { id: url.replace(/^\/user_uploads\/\d+\//, ""), name: url };
}

async function createFiles(org: MatrixOrganization, channels: MatrixChannels) {
  const { chat, accounts, keeper, stranger } = org;
  const files = new Map<string, Target>();
  const add = async (name: string, by = keeper): Promise<string> => {
    const content = Uint8Array.from(PNG);
    const { body } = await upload(chat, by, { name: `${name}.png`, content, type: "image/png" });
    return body["url"];
  };
  const attach = async (name: string, post: (content: string) => Promise<number>, by = keeper) => {
    const url = await add(`file-${name}`, by);
    await post(`[file](${url})`);
    return toFile(url);
  };
  const inChannel = async (name: keyof MatrixChannels) =>
    await attach(name, (content) => send(chat, keeper, { to: Number(channels[name].id), content }));
  for (const [name, account] of Object.entries(accounts)) {
    files.set(name, toFile(await add(`file-of-${name}`, account)));
  }
  const others = toFile(await add("file-of-keeper"));
  const byVisibility = {
    own: ownTarget(files, others),
    others,
    "web-public": await inChannel("web-public"),
    public: await inChannel("public"),
    "public-joined": await inChannel("public-joined"),
    shared: await inChannel("shared"),
    "shared-joined": await inChannel("shared-joined"),
    protected: await inChannel("protected"),
    "protected-joined": await inChannel("protected-joined"),
    direct: await attach("direct", (content) => sendDirect(chat, keeper, Object.values(accounts), content)),
    "direct-others": await attach(
      "direct-others",
      (content) => sendDirect(chat, keeper, [stranger], content),
    ),
    foreign: toFile(await add("file-foreign", chat.outsider)),
  };
  return { file: byVisibility, attachment: await listAttachments(org, files, others) };
}

/** Returns the attachments of the accounts, of the keeper and of the other organization. */
async function listAttachments(org: MatrixOrganization, files: ReadonlyMap<string, Target>, others: Target) {
  const { chat, accounts, keeper } = org;
  const idOf = async (user: TestUser, url?: string): Promise<Target> => {
    const { attachments } = await succeed(chat, user, "GET /attachments");
    const path = url?.replace("/user_uploads/", "");
    const found = attachments.find(({ path_id }: { path_id: string }) =>
      path === undefined || path_id === path
    );
    return { id: found.id, name: found.name };
  };
  const own = new Map<string, Target>();
  for (const [name, account] of Object.entries(accounts)) {
    own.set(name, await idOf(account, files.get(name)?.name));
  }
  const ofKeeper = await idOf(keeper, others.name);
  const all: Readonly<Record<"own" | "others" | "foreign", TargetOf>> = {
    own: ownTarget(own, ofKeeper),
    others: ofKeeper,
    foreign: await idOf(chat.outsider),
  };
  return all;
}
