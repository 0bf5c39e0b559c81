import { draftKeys, type DraftList, type DraftRecord } from "@/lib/chat/messages/drafts.ts";
import { type SnippetRecord, snippets } from "@/lib/chat/messages/saved_snippets.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { createCostlyLinkifiers } from "@/tests/casts/many_linkifiers_cast.ts";
import { seedChannels } from "@/tests/casts/many_channels_cast.ts";
import { type SeededMessage, seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { seedUsers } from "@/tests/casts/many_users_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

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
/** Size of a stored draft or snippet, in bytes, at most. */
const TEXT_BYTES = 12_000;

/** Fills an organization, with its records written to the store many at once. */
export async function startFullOrganization(size: OrganizationSize): Promise<FullOrganization> {
  const chat = await startChat();
  const userIds = await seedUsers(chat, size.users, (id) => `Person ${id} ${"x".repeat(80)}`);
  await createCostlyLinkifiers(chat, size.linkifiers);
  const description = "d".repeat(1000);
  const readers = [chat.owner.id, chat.member.id];
  const [channelId = NaN] = await seedChannels(chat, {
    names: ["main"],
    description,
    subscribers: [...readers, ...userIds].slice(0, SUBSCRIBERS),
  });
  const names = Array.from({ length: size.channels - 1 }, (_, at) => `channel ${at + 1}`);
  await seedChannels(chat, { names, description, subscribers: readers });
  await addTexts(chat, size.texts);
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId, senderId: chat.member.id };
  const messageIds = await seedMessages(target, listMessages(size));
  return { ...chat, channelId, messageIds };
}

/** Stores drafts and saved snippets of the owner, without events. */
async function addTexts({ services, realm, owner }: TestChat, count: number): Promise<void> {
  const { kv } = services.store;
  const writer = new BulkWriter(kv);
  const ids = Array.from({ length: count }, (_, at) => 1 + at);
  const seconds = Math.floor(services.chat.clock.now() / 1000);
  const ownerOfSnippets = { realm, actingUser: owner };
  for (const id of ids) {
    const snippet: SnippetRecord = { id, title: `snippet ${id}`, content: LONG_TEXT, date_created: seconds };
    await writer.set(snippets.key(ownerOfSnippets, id), snippet, TEXT_BYTES);
    const draft: DraftRecord = { id, type: "", to: [], topic: "", content: LONG_TEXT, timestamp: seconds };
    await writer.set(draftKeys.draft(realm.id, owner.id, id), draft, TEXT_BYTES);
  }
  await writer.set(snippets.countKey(ownerOfSnippets), count);
  await writer.set(draftKeys.list(realm.id, owner.id), { is_off: false, ids } satisfies DraftList);
  await writer.flush();
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
