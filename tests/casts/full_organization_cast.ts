import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { accountsLock } from "@/lib/chat/users/store.ts";
import { transact } from "@/lib/kv/transact.ts";
import { createLinkifier } from "@/tests/casts/linkifiers_cast.ts";
import { type SeededMessage, seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Numbers of records of an organization. */
export interface OrganizationSize {
  readonly users: number;
  readonly channels: number;
  /** Messages whose HTML is as large as versions up to 0.5 stored it. */
  readonly largeMessages: number;
  /** Messages of 10,000 characters, each in a topic of its own. */
  readonly messages: number;
  readonly linkifiers: number;
  /** Drafts and saved snippets of 10,000 characters each. */
  readonly texts: number;
}

/** A size that is built within seconds. */
export const TEST_SIZE: OrganizationSize = {
  users: 1000,
  channels: 200,
  largeMessages: 100,
  messages: 900,
  linkifiers: 200,
  texts: 200,
};

/** An organization with many records. */
export interface FullOrganization extends TestChat {
  /** A channel with all messages and many subscribers. */
  readonly channelId: number;
  readonly messageIds: readonly number[];
}

/** HTML of 10,000 characters of emoji, as versions up to 0.5 stored it. */
const LARGE_HTML = `<p>${
  '<span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span>'.repeat(2500)
}</p>`;
/** 10,000 characters of different words. */
const LONG_TEXT = Array.from({ length: 2000 }, (_, at) => at.toString(36).padStart(4, "x")).join(" ");
const COSTLY_TOPIC = "a z ".repeat(13);
const SUBSCRIBERS = 300;
const DRAFTS_PER_REQUEST = 14;

/** Fills an organization through the API, with users and messages written to the store. */
export async function startFullOrganization(size: OrganizationSize): Promise<FullOrganization> {
  const chat = await startChat();
  const userIds = await addUsers(chat, size.users);
  for (let at = 0; at < size.linkifiers; at++) {
    const url_template = "https://x.example/{a}{b}{c}";
    await createLinkifier(chat, { pattern: `(?P<a>.?)(?P<b>.?)(?P<c>.?)${at}z`, url_template });
  }
  const subscribers = [chat.owner.id, chat.member.id, ...userIds].slice(0, SUBSCRIBERS);
  const channelId = await createChannel(chat, "main", subscribers);
  for (let at = 1; at < size.channels; at++) {
    await createChannel(chat, `channel ${at}`, [chat.owner.id, chat.member.id]);
  }
  await addTexts(chat, size.texts);
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId, senderId: chat.member.id };
  const messageIds = await seedMessages(target, listMessages(size));
  return { ...chat, channelId, messageIds };
}

async function addUsers({ services, realm }: TestChat, count: number): Promise<number[]> {
  const { chat: app } = services;
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const user = {
      deliveryEmail: `person${at}@example.com`,
      fullName: `Person ${at} ${"x".repeat(80)}`,
      role: 400,
      passwordHash: null,
    } as const;
    const added = await transact(
      app.store,
      (tx) => addUser(app, tx, { realm, user }),
      accountsLock(realm.id),
    );
    ids.push(added.id);
  }
  return ids;
}

async function createChannel(chat: TestChat, name: string, subscribers: readonly number[]): Promise<number> {
  const description = "d".repeat(1000);
  const { id } = await succeed(chat, chat.owner, "POST /channels/create", { name, description, subscribers });
  return id;
}

async function addTexts(chat: TestChat, count: number): Promise<void> {
  const draft = { type: "", to: [], topic: "", content: LONG_TEXT };
  for (let at = 0; at < count; at += DRAFTS_PER_REQUEST) {
    const drafts = Array.from({ length: Math.min(DRAFTS_PER_REQUEST, count - at) }, () => draft);
    await succeed(chat, chat.owner, "POST /drafts", { drafts });
  }
  for (let at = 0; at < count; at++) {
    await succeed(chat, chat.owner, "POST /saved_snippets", { title: `snippet ${at}`, content: LONG_TEXT });
  }
}

function listMessages({ largeMessages, messages }: OrganizationSize): SeededMessage[] {
  return [
    ...Array.from({ length: messages }, (_, at) => ({
      topic: `${COSTLY_TOPIC}${at}`,
      content: LONG_TEXT,
      html: `<p>${LONG_TEXT}</p>`,
    })),
    ...Array.from({ length: largeMessages }, () => ({ content: ":+1:".repeat(2500), html: LARGE_HTML })),
  ];
}
