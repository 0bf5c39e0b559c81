import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { type ConversationRecord, messageKeys } from "@/lib/chat/messages/model.ts";
import { listRealms, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { createPipelinedWriter } from "@/tests/seeding/commit_pipeline.ts";
import { addChannel, addPeople, addSubscriptions } from "@/tests/seeding/seed_people.ts";
import { AREAS, FIRST_NAMES, LAST_NAMES, SUBJECTS } from "../content/crowd.ts";
import { CHANNELS } from "../content/channels.ts";
import { emailOf, PEOPLE } from "../content/people.ts";
import { createDraw, createWeightedDraw, type Draw } from "../draw.ts";
import { getFounder } from "../plan_people.ts";
import type { DemoSite } from "../site.ts";

/** Probabilities of roles; the others are members. */
const SHARES = { guest: 0.04, moderator: 0.005 } as const;
/** Least and greatest number of channels that a person chooses, and channels that the staff subscribes to. */
const CHOSEN = { least: 4, most: 24, staff: 40 } as const;
/** Conversations for each person. */
const CONVERSATIONS = 2;
const STAFF = ["owner", "admin"];

/** A channel of the crowd. */
export interface CrowdChannel {
  readonly record: ChannelRecord;
  readonly topics: readonly string[];
  /** Ids of subscribers who are part of the crowd. */
  readonly subscribers: number[];
}

/** People beside those of the usual demo, with their channels and conversations. */
export class Crowd {
  readonly people: UserRecord[] = [];
  readonly channels: CrowdChannel[] = [];
  readonly conversations: ConversationRecord[] = [];
  readonly #draw: Draw = createDraw("crowd");
  #passwordHash: string | null = null;

  /** Creates channels until there are so many. */
  async growChannels(site: DemoSite, count: number): Promise<void> {
    const caller = await readFounder(site);
    const topics = [...new Set(CHANNELS.flatMap((channel) => channel.topics))];
    while (this.channels.length < count) {
      const { name, description } = toChannel(this.channels.length);
      const record = await addChannel(site.app.services.chat, caller, { name, description });
      const chosen = this.#draw.sample(topics, this.#draw.between(4, 14));
      this.channels.push({ record, topics: chosen, subscribers: [] });
    }
  }

  /** Adds people, with their subscriptions, until there are so many. */
  async growPeople(site: DemoSite, count: number): Promise<void> {
    const { chat } = site.app.services;
    const realm = await readDemoRealm(site);
    this.#passwordHash ??= await chat.passwords.hash(site.password);
    const wanted = Array.from({ length: count - this.people.length }, (_, at) => ({
      ...toPerson(this.people.length + at),
      role: this.#drawRole(),
      passwordHash: this.#passwordHash,
    }));
    const added = await addPeople(chat, realm, wanted);
    this.people.push(...added);
    await this.#subscribe(site, realm, added);
  }

  /** Subscribes owners and administrators to the busiest channels, and opens conversations. */
  async connect(site: DemoSite): Promise<void> {
    const realm = await readDemoRealm(site);
    const { store } = site.app.services;
    const from = await readHead(store.kv) + 1;
    const busiest = this.channels.slice(0, CHOSEN.staff);
    const staff = PEOPLE.filter(({ role }) => STAFF.includes(role)).map(({ key }) => site.people.of(key));
    const pairs = staff.flatMap((userId) =>
      busiest.map(({ record: { id } }) => ({ channelId: id, userId, from }))
    );
    await addSubscriptions(store, realm, pairs);
    await this.#converse(store.kv, realm.id);
  }

  #drawRole(): 300 | 400 | 600 {
    const share = this.#draw.unit();
    if (share < SHARES.guest) return 600;
    return share < SHARES.guest + SHARES.moderator ? 300 : 400;
  }

  async #subscribe(site: DemoSite, realm: RealmRecord, people: readonly UserRecord[]): Promise<void> {
    const { store } = site.app.services;
    const from = await readHead(store.kv) + 1;
    const usual = CHANNELS.filter(({ reach }) => reach === 1).map(({ name }) => site.channels.of(name));
    const next = createWeightedDraw(this.#draw, listChannelWeights(this.channels.length));
    const subscriptions = people.flatMap(({ id: userId, role }) => {
      const count = Math.min(this.#draw.between(CHOSEN.least, CHOSEN.most), this.channels.length);
      const chosen = new Set(Array.from({ length: count }, next));
      for (const at of chosen) this.channels[at]?.subscribers.push(userId);
      const own = [...chosen].flatMap((at) => this.channels[at]?.record.id ?? []);
      return [...(role === 600 ? [] : usual), ...own].map((channelId) => ({ channelId, userId, from }));
    });
    await addSubscriptions(store, realm, subscriptions);
  }

  async #converse(kv: Kv, realmId: number): Promise<void> {
    const counter = ["seq", "conversation"];
    let id = await readRecord<number>(kv, counter) ?? 0;
    const writer = createPipelinedWriter(kv);
    const known = new Set<string>();
    for (let number = 0; number < CONVERSATIONS * this.people.length; number++) {
      const user_ids = this.#draw.sample(
        [this.#draw.pick(this.people).id, this.#draw.pick(this.people).id],
        2,
      )
        .sort((one, other) => one - other);
      if (user_ids[0] === user_ids[1] || known.has(user_ids.join())) continue;
      known.add(user_ids.join());
      const conversation: ConversationRecord = { id: ++id, user_ids };
      this.conversations.push(conversation);
      await writer.set(messageKeys.conversation(realmId, id), conversation);
      await writer.set(messageKeys.conversationOf(realmId, user_ids), id);
    }
    await writer.settle();
    await kv.set(counter, id);
  }
}

/** Returns weights of the channels of a crowd, the busiest first. */
export function listChannelWeights(count: number): number[] {
  return Array.from({ length: count }, (_, at) => 1 / (at + 8));
}

/** Returns the name and address of a person of the crowd; they differ for different numbers. */
export function toPerson(number: number): { readonly fullName: string; readonly deliveryEmail: string } {
  const first = FIRST_NAMES[number % FIRST_NAMES.length] ?? "";
  // Neighbors differ in both names.
  const last = LAST_NAMES[(number + Math.floor(number / FIRST_NAMES.length)) % LAST_NAMES.length] ?? "";
  return { fullName: `${first} ${last}`, deliveryEmail: emailOf(`${first}.${last}`.toLowerCase()) };
}

/** Returns the name and description of a channel of the crowd; names differ for different numbers. */
export function toChannel(number: number): { readonly name: string; readonly description: string } {
  const subject = SUBJECTS[number % SUBJECTS.length] ?? "";
  const area = AREAS[Math.floor(number / SUBJECTS.length) % AREAS.length] ?? "";
  return { name: `${area} ${subject}`, description: `Everything about ${subject} in the part ${area}.` };
}

/** Returns the record of the demo's organization. */
export async function readDemoRealm({ app }: DemoSite): Promise<RealmRecord> {
  for (const realm of await listRealms(app.services.chat)) return realm;
  throw new Error("There is no organization");
}

/** Returns the organization with its founder, who acts in it. */
export async function readFounder(site: DemoSite): Promise<Caller> {
  const realm = await readDemoRealm(site);
  const actingUser = await readUser(site.app.services.chat, realm.id, site.people.of(getFounder().key));
  if (actingUser === null) throw new Error("There is no founder");
  return { realm, actingUser };
}

/** Returns the id of the last message. */
export async function readHead(kv: Kv): Promise<number> {
  return await readRecord<number>(kv, channelKeys.messageHead) ?? 0;
}
