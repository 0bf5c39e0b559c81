import { messageKeys } from "@/lib/chat/messages/model.ts";
import { activityKeys, type ActivityRecord, countActiveDay } from "@/lib/chat/people/activity/store.ts";
import { presenceKeys, type PresenceRecord } from "@/lib/chat/people/presence/model.ts";
import { dayOf } from "@/lib/core/clock.ts";
import { transact } from "@/lib/store/transact.ts";
import { chunk } from "es-toolkit/array/chunk";
import { createPipelinedWriter } from "@/tests/seeding/commit_pipeline.ts";
import { type Action, type Advance, DAY_MS, HOUR_MS, type Timeline } from "../agenda.ts";
import { createDraw } from "../draw.ts";
import type { DemoVolumes } from "../options.ts";
import type { DemoSite } from "../site.ts";
import { ContentPool } from "./content_pool.ts";
import { Crowd, readDemoRealm, readHead } from "./crowd.ts";
import { drawMessageTimes, MessageStream } from "./message_stream.ts";
import { planBulkLinks } from "./plan_bulk_links.ts";

/** Days before the end at which channels and people are created, and their conversations begin. */
const DAYS = { channels: 58.4, people: 58, connected: 51.3 } as const;
/** Numbers of records that one action writes, and the duration of each action, relative to one request. */
const PARTS = {
  channels: { size: 50, weight: 80 },
  people: { size: 250, weight: 120 },
  contents: { size: 250, weight: 40 },
  messages: { size: 1000, weight: 5 },
} as const;
/** Number of parts in which the rows of messages are written. */
const ROW_PARTS = 50;
/** Duration of writing rows of so many messages, and of indexing their words, relative to one request. */
const MESSAGES_A_REQUEST = { rows: 100, words: 500 } as const;
/** Messages for each different text, and the least and greatest number of texts. */
const REPEATS = 100;
const CONTENTS = { least: 250, most: 8000 } as const;
/** Share of people who have read something, and of those who were online lately. */
const SHARES = { readers: 0.9, present: 0.8 } as const;
/** People whose presence one commit writes. */
const PRESENT_AT_ONCE = 80;

/** Plans what a large demo has beyond the usual content, whose actions keep their order. */
export function planLarge(timeline: Timeline, volumes: DemoVolumes, usual: readonly Action[]): Action[] {
  const crowd = new Crowd();
  const pool = new ContentPool();
  const times = drawMessageTimes(createDraw("message times"), timeline, {
    count: volumes.messages,
    days: volumes.messageDays,
  });
  const stream = new MessageStream({ crowd, pool, times });
  return [
    ...planBulkLinks(timeline, volumes),
    ...planCrowd(timeline, { crowd, pool, volumes }),
    // Ids of messages ascend with their times.
    ...usual.map((action) => ({
      ...action,
      run: async (site: DemoSite, advance: Advance) => {
        await stream.writeUntil(site, action.at);
        await action.run(site, advance);
      },
    })),
    ...planStream(stream, times),
    ...planEnd(timeline, { crowd, stream, messages: volumes.messages }),
  ];
}

function planCrowd(
  { daysAgo }: Timeline,
  { crowd, pool, volumes }: { crowd: Crowd; pool: ContentPool; volumes: DemoVolumes },
): Action[] {
  const repeated = Math.ceil(volumes.messages / REPEATS);
  const contents = Math.max(CONTENTS.least, Math.min(CONTENTS.most, repeated));
  const joiningMs = (DAYS.people - DAYS.connected) * DAY_MS;
  return [
    ...planParts("channels", volumes.channels, (count, share) => ({
      at: daysAgo(DAYS.channels) + share * HOUR_MS,
      run: (site) => crowd.growChannels(site, count),
    })),
    ...planParts("people", volumes.people, (count, share) => ({
      at: Math.floor(daysAgo(DAYS.people) + share * joiningMs) - HOUR_MS,
      run: (site) => crowd.growPeople(site, count),
    })),
    { at: daysAgo(DAYS.connected), run: (site) => crowd.connect(site) },
    ...planParts("contents", contents, (count) => ({
      at: daysAgo(DAYS.connected),
      run: (site) => pool.grow(site, { crowd, count }),
    })),
  ];
}

/** Plans the parts of a volume by the number that exists after each of them, and its share. */
function planParts(
  name: keyof typeof PARTS,
  total: number,
  toAction: (count: number, share: number) => Action,
): Action[] {
  const { size, weight } = PARTS[name];
  return Array.from({ length: Math.ceil(total / size) }, (_, part) => {
    const count = Math.min(total, (part + 1) * size);
    return { weight, ...toAction(count, count / total) };
  });
}

function planStream(stream: MessageStream, times: Float64Array): Action[] {
  return planParts("messages", times.length, (count) => {
    const at = times[count - 1] ?? 0;
    return { at, run: (site) => stream.writeUntil(site, at) };
  });
}

function planEnd(
  { now }: Timeline,
  { crowd, stream, messages }: { crowd: Crowd; stream: MessageStream; messages: number },
): Action[] {
  return [
    ...Array.from({ length: ROW_PARTS }, (_, part) => ({
      at: now,
      run: () => stream.writeRows(part, ROW_PARTS),
      weight: messages / MESSAGES_A_REQUEST.rows / ROW_PARTS,
    })),
    { at: now, run: (site) => stream.finish(site), weight: messages / MESSAGES_A_REQUEST.words },
    { at: now, run: (site) => markRead(site, crowd) },
    ...chunkPresence(crowd, now),
  ];
}

/** Marks everything up to some message as read for most people. */
async function markRead(site: DemoSite, { people }: Crowd): Promise<void> {
  const draw = createDraw("bulk reading");
  const { kv } = site.app.services.store;
  const { id: realmId } = await readDemoRealm(site);
  const head = await readHead(kv);
  const writer = createPipelinedWriter(kv);
  for (const { id } of people) {
    if (!draw.chance(SHARES.readers)) continue;
    await writer.set(messageKeys.readAll(realmId, id), Math.floor(head * (1 - draw.unit() ** 6)));
  }
  await writer.settle();
}

/** Plans when people were last active, oldest first. */
function chunkPresence(crowd: Crowd, now: number): Action[] {
  return [{
    at: now,
    weight: 100,
    run: async (site) => {
      const draw = createDraw("bulk presence");
      const { id: realmId } = await readDemoRealm(site);
      const reports = crowd.people.filter(() => draw.chance(SHARES.present)).map(({ id }) => ({
        userId: id,
        at: now - Math.floor(draw.unit() ** 3 * 12 * DAY_MS),
      })).sort((one, other) => one.at - other.at);
      for (const part of chunk(reports, PRESENT_AT_ONCE)) {
        await transact(site.app.services.store, async (tx) => {
          for (const { userId, at } of part) {
            const update_id = await tx.nextId("presence");
            const record: PresenceRecord = {
              user_id: userId,
              last_active: at,
              last_connected: at,
              update_id,
            };
            tx.set(presenceKeys.presence(realmId, userId), record);
            tx.set(presenceKeys.update(realmId, update_id), userId);
            const activity: ActivityRecord = { user_id: userId, day: dayOf(at), at };
            tx.set(activityKeys.activity(realmId, userId), activity);
            countActiveDay(tx, realmId, { before: null, day: activity.day });
          }
        });
      }
    },
  }];
}
