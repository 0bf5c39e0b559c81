import type { Recipient } from "@/lib/chat/messages/model.ts";
import { listTopicWords } from "@/lib/chat/messages/word_index/store.ts";
import { MessageSeeder } from "@/tests/seeding/seed_messages.ts";
import { WordSeeder } from "@/tests/seeding/seed_words.ts";
import { DAY_MS, HOUR_MS, HOUR_WEIGHTS, startOfDay, type Timeline, weekdayWeight } from "../agenda.ts";
import { createDraw, createWeightedDraw, type Draw } from "../draw.ts";
import type { DemoSite } from "../site.ts";
import type { ContentPool } from "./content_pool.ts";
import { type Crowd, listChannelWeights, readDemoRealm, readHead } from "./crowd.ts";

/** Share of messages that are direct. */
const DIRECT_SHARE = 0.15;
/** Growth of the number of messages over the whole time, as a factor. */
const GROWTH = 1.6;
const CLIENT = "website";

/** Draws the times of messages by day and hour, ascending; all are before the end. */
export function drawMessageTimes(
  draw: Draw,
  { now, daysAgo }: Timeline,
  { count, days }: { count: number; days: number },
): Float64Array {
  const first = startOfDay(daysAgo(days)) + DAY_MS;
  const starts = Array.from({ length: days }, (_, day) => first + day * DAY_MS);
  const weights = starts.map((start, day) => {
    const share = Math.max(0, Math.min(1, (now - start) / DAY_MS));
    return weekdayWeight(start) * (1 + (GROWTH - 1) * day / days) * share;
  });
  const nextDay = createWeightedDraw(draw, weights);
  const nextHour = createWeightedDraw(draw, HOUR_WEIGHTS);
  const times = Float64Array.from({ length: count }, () => {
    const start = starts[nextDay()] ?? first;
    const at = start + nextHour() * HOUR_MS + draw.below(HOUR_MS);
    return at < now ? at : start + draw.below(Math.max(1, now - start));
  });
  return times.sort();
}

interface OpenStream {
  readonly messages: MessageSeeder;
  readonly words: WordSeeder;
  readonly nextChannel: () => number;
}

/** Messages of a crowd in the order of their times, which are written between the actions of others. */
export class MessageStream {
  readonly #crowd: Crowd;
  readonly #pool: ContentPool;
  readonly #times: Float64Array;
  readonly #draw = createDraw("message stream");
  #open: OpenStream | null = null;
  #written = 0;

  constructor({ crowd, pool, times }: { crowd: Crowd; pool: ContentPool; times: Float64Array }) {
    this.#crowd = crowd;
    this.#pool = pool;
    this.#times = times;
  }

  /** Writes the messages up to a time. */
  async writeUntil(site: DemoSite, at: number): Promise<void> {
    if ((this.#times[this.#written] ?? Infinity) > at) return;
    const { messages, words, nextChannel } = this.#open ??= await this.#begin(site);
    for (let sentAt = 0; (sentAt = this.#times[this.#written] ?? Infinity) <= at; this.#written++) {
      const { prepared, words: own } = this.#draw.pick(this.#pool.contents);
      const { recipient, senderId } = this.#drawRecipient(nextChannel);
      const id = await messages.add({ senderId, recipient, prepared, client: CLIENT, sentAt });
      words.add(id, recipient.kind === "direct" ? own : [...own, ...listTopicWords(recipient.topic)]);
    }
    await messages.settle();
  }

  /** Writes a part of the rows of indexes, of so many parts. */
  async writeRows(part: number, parts: number): Promise<void> {
    await this.#open?.messages.writeRows(part, parts);
  }

  /** Writes topics, sums and the index of words. */
  async finish(site: DemoSite): Promise<void> {
    if (this.#open === null) return;
    await this.#open.messages.finish();
    await this.#open.words.finish(await readHead(site.app.services.store.kv));
  }

  async #begin(site: DemoSite): Promise<OpenStream> {
    const { kv } = site.app.services.store;
    const { id } = await readDemoRealm(site);
    const weights = listChannelWeights(this.#crowd.channels.length).map((weight, at) =>
      (this.#crowd.channels[at]?.subscribers.length ?? 0) === 0 ? 0 : weight
    );
    return {
      messages: new MessageSeeder(kv, id),
      words: new WordSeeder(kv, id),
      nextChannel: createWeightedDraw(this.#draw, weights),
    };
  }

  #drawRecipient(nextChannel: () => number): { recipient: Recipient; senderId: number } {
    const draw = this.#draw;
    const { channels, conversations } = this.#crowd;
    const channel = channels[nextChannel()];
    if (channel === undefined || channel.subscribers.length === 0 || draw.chance(DIRECT_SHARE)) {
      const conversation = draw.pick(conversations);
      return { recipient: { kind: "direct", conversation }, senderId: draw.pick(conversation.user_ids) };
    }
    const topic = pickEarly(draw, channel.topics) ?? "";
    const senderId = pickEarly(draw, channel.subscribers) ?? 0;
    return { recipient: { kind: "channel", channel: channel.record, topic, isNewTopic: false }, senderId };
  }
}

/** Draws an item of a list, the first ones most often. */
function pickEarly<T>(draw: Draw, list: readonly T[]): T | undefined {
  return list[Math.floor(draw.unit() ** 2 * list.length)];
}
