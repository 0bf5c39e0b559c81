import {
  type Action,
  DAY_MS,
  HOUR_MS,
  HOUR_WEIGHTS,
  MINUTE_MS,
  startOfDay,
  type Timeline,
  weekdayWeight,
} from "./agenda.ts";
import { composeText } from "./compose_text.ts";
import { CHANNELS, type DemoChannel } from "./content/channels.ts";
import { LEAVERS, PEOPLE } from "./content/people.ts";
import { DIRECT_OPENERS, OPENERS, REACTIONS, REPLIES, SPECIALS } from "./content/sentences.ts";
import { createDraw, createWeightedDraw, type Draw } from "./draw.ts";
import { drawBedPlan, toPictureFile } from "./pictures.ts";
import { drawSubscribers } from "./plan_channels.ts";
import type { DemoSite, Params } from "./site.ts";

/** Probabilities of what a conversation or message is. */
const SHARES = { direct: 0.1, special: 0.12, picture: 0.015, reacted: 0.2 } as const;
/** Greatest number of messages of a conversation. */
const MAX_CONVERSATION = 12;
/** Number of options of every poll. */
const POLL_OPTIONS = 3;
/** Width and height of pictures in messages, in pixels. */
const PICTURE_SIZE = 480;
/** Roles that may write announcements. */
const ANNOUNCERS = ["owner", "admin", "moderator"];

/** Destination and writers of a conversation. */
interface Setting {
  /** Keys of the people who write. */
  readonly writers: readonly string[];
  /** Returns the parameters of the destination. */
  readonly target: (site: DemoSite) => Params;
  readonly things: readonly string[];
  readonly openers: readonly string[];
}

/** Plans conversations of people in channels and among each other, with reactions. */
export function planMessages(timeline: Timeline, { count, days }: { count: number; days: number }): Action[] {
  const draw = createDraw("messages");
  const nextSetting = createSettings(draw);
  const nextTime = createTimes(draw, timeline, days);
  const actions: Action[] = [];
  for (let left = count; left > 0;) {
    const size = Math.min(left, 1 + Math.floor(draw.unit() ** 2 * MAX_CONVERSATION));
    const conversation = planConversation(draw, nextSetting(), {
      from: nextTime(),
      until: timeline.now,
      size,
    });
    actions.push(...conversation);
    left -= conversation.length;
  }
  return actions;
}

/** Returns a function that draws the setting of a conversation. */
function createSettings(draw: Draw): () => Setting {
  const subscribers = drawSubscribers();
  const active = PEOPLE.filter(({ key }) => !LEAVERS.includes(key)).map(({ key }) => key);
  const channels = CHANNELS.filter(({ traffic }) => traffic > 0);
  const nextChannel = createWeightedDraw(draw, channels.map(({ traffic }) => traffic));
  return () => {
    const channel = channels[nextChannel()];
    if (channel === undefined || draw.chance(SHARES.direct)) return drawDirectSetting(draw, active);
    const present = (subscribers.get(channel.name) ?? []).filter((key) => active.includes(key));
    return drawChannelSetting(draw, channel, present);
  };
}

function drawDirectSetting(draw: Draw, active: readonly string[]): Setting {
  const writers = draw.sample(active, draw.chance(0.8) ? 2 : 3);
  return {
    writers,
    target: (site) => ({ type: "direct", to: writers.map((key) => site.people.of(key)) }),
    things: ["the shed key", "the jars", "your plot", "the ladder"],
    openers: DIRECT_OPENERS,
  };
}

function drawChannelSetting(draw: Draw, channel: DemoChannel, present: readonly string[]): Setting {
  const announcers = PEOPLE.filter(({ role }) => ANNOUNCERS.includes(role)).map(({ key }) => key);
  const may = channel.name === "announcements" ? present.filter((key) => announcers.includes(key)) : present;
  const topic = draw.pick(channel.topics);
  return {
    writers: draw.sample(may, draw.between(2, 5)),
    target: (site) => ({ type: "channel", to: site.channels.of(channel.name), topic }),
    things: channel.things,
    openers: OPENERS,
  };
}

/** Returns a function that draws times by hour and weekday. */
function createTimes(draw: Draw, { now, daysAgo }: Timeline, days: number): () => number {
  const first = startOfDay(daysAgo(days));
  const starts = Array.from({ length: days + 1 }, (_, day) => first + day * DAY_MS);
  const nextDay = createWeightedDraw(draw, starts.map(weekdayWeight));
  const nextHour = createWeightedDraw(draw, HOUR_WEIGHTS);
  return () => {
    const at = (starts[nextDay()] ?? first) + nextHour() * HOUR_MS + draw.below(HOUR_MS);
    // Conversations of the rest of today happened at that hour of the day before.
    return at < now ? at : at - DAY_MS;
  };
}

function planConversation(
  draw: Draw,
  setting: Setting,
  { from, until, size }: { from: number; until: number; size: number },
): Action[] {
  const actions: Action[] = [];
  let at = from;
  let previous = "";
  for (let number = 0; number < size && at < until; number++) {
    const writer = drawWriter(draw, setting, previous);
    const content = drawContent(draw, setting, { isFirst: number === 0, previous });
    actions.push(planMessage(draw, setting, { at, writer, content }));
    previous = writer;
    at += MINUTE_MS + Math.round(draw.unit() ** 3 * 3 * HOUR_MS);
  }
  return actions;
}

function drawWriter(draw: Draw, { writers }: Setting, previous: string): string {
  const others = writers.filter((key) => key !== previous);
  return draw.pick(others.length > 0 ? others : writers);
}

function drawContent(
  draw: Draw,
  { things, openers }: Setting,
  { isFirst, previous }: { isFirst: boolean; previous: string },
): string {
  const templates = draw.chance(SHARES.special) ? SPECIALS : isFirst ? openers : REPLIES;
  const template = draw.pick(templates);
  const silent = draw.pick(PEOPLE).name;
  return composeText(draw, template, { things, previous: nameOf(previous) ?? silent, silent });
}

function nameOf(key: string): string | undefined {
  return PEOPLE.find((person) => person.key === key)?.name;
}

/** Plans one message with its picture, and the votes and reactions that follow. */
function planMessage(
  draw: Draw,
  { writers, target }: Setting,
  { at, writer, content }: { at: number; writer: string; content: string },
): Action {
  const picture = draw.chance(SHARES.picture) ? `bed plan ${draw.between(1, 64)}` : null;
  const readers = draw.chance(SHARES.reacted) ? draw.sample(writers, draw.between(1, 3)) : [];
  const reactions = readers.map((key) => ({ key, emoji_name: draw.pick(REACTIONS) }));
  const voters = content.startsWith("/poll") ? writers : [];
  const votes = voters.map((key) => ({ key, option: draw.below(POLL_OPTIONS) }));
  return {
    at,
    run: async (site) => {
      const link = picture === null ? "" : `\n\n${await uploadPicture(site, writer, picture)}`;
      const { id } = await site.call(writer, "POST /messages", { ...target(site), content: content + link });
      for (const { key, option } of votes) await vote(site, key, { message_id: id, option });
      for (const { key, emoji_name } of reactions) {
        await site.call(key, `POST /messages/${id}/reactions`, { emoji_name });
      }
    },
  };
}

/** Votes for an option of a poll. */
async function vote(
  site: DemoSite,
  key: string,
  { message_id, option }: { message_id: number; option: number },
): Promise<void> {
  const content = JSON.stringify({ type: "vote", key: `canned,${option}`, vote: 1 });
  await site.call(key, "POST /submessage", { message_id, msg_type: "widget", content });
}

/** Uploads a picture and returns the Markdown that shows it. */
async function uploadPicture(site: DemoSite, writer: string, name: string): Promise<string> {
  const file = toPictureFile(await drawBedPlan(name, PICTURE_SIZE), `${name.replaceAll(" ", "-")}.png`);
  const { url } = await site.call(writer, "POST /user_uploads", { file });
  return `[${name}](${url})`;
}
