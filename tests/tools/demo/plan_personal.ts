import { type Action, DAY_MS, HOUR_MS, MINUTE_MS, type Timeline } from "./agenda.ts";
import { LEAVERS, PEOPLE } from "./content/people.ts";
import { createDraw } from "./draw.ts";
import type { DemoSite } from "./site.ts";

/** Hours before the end at which most people read everything. */
const READING_HOURS = 20;
const HOUR_SECONDS = 3600;

type Plan = (site: DemoSite, nowSeconds: number) => Promise<unknown>;

/** Messages that are sent later, with the hours until then. */
const SCHEDULED:
  readonly (readonly [key: string, channel: string, topic: string, content: string, hours: number])[] = [
    ["maren", "announcements", "opening hours", "From tomorrow, the gate opens at **8:00**.", 14],
    ["priya", "open day", "program", "Today is the last day for changes of the program.", 30],
    ["lucia", "water team", "rota", "@*waterers* the new rota starts now.", 52],
    ["zofia", "kitchen", "harvest dinner", "Dinner is on Saturday at 6 p.m. Who brings bread?", 75],
    ["anastasia", "seed library", "germination test", "Please count the seedlings today.", 120],
  ];

const SNIPPETS = [
  ["maren", "Welcome", "Welcome! The handbook is at HB-start, and #**general** is the place for questions."],
  ["samir", "Overdue tool", "The tool is overdue. Could you bring it back this week? Thank you!"],
] as const;

/** Plans records of single people: read marks, topics, drafts, snippets, scheduled messages, reminders. */
export function planPersonal({ now }: Timeline): Action[] {
  const plans: readonly Plan[] = [
    ...planDrafts(),
    ...SNIPPETS.map(([key, title, content]): Plan => (site) =>
      site.call(key, "POST /saved_snippets", { title, content })
    ),
    ...SCHEDULED.map(([key, channel, topic, content, hours]): Plan => (site, seconds) =>
      site.call(key, "POST /scheduled_messages", {
        type: "channel",
        to: site.channels.of(channel),
        topic,
        content,
        scheduled_delivery_timestamp: seconds + hours * HOUR_SECONDS,
      })
    ),
    ...planReminders(),
    (site) => site.call("owen", "POST /users/me/alert_words", { alert_words: ["shed key", "row B"] }),
    (site) =>
      site.call("aiko", "POST /user_topics", {
        ...topicOf(site, "vegetables", "slugs"),
        visibility_policy: 1,
      }),
    (site) =>
      site.call("aiko", "POST /user_topics", { ...topicOf(site, "compost", "bay 1"), visibility_policy: 3 }),
    (site) => site.call("delia", `POST /users/me/muted_users/${site.people.of("calendar")}`),
  ];
  const last = now - 2 * HOUR_MS;
  return [
    ...planReading(now - READING_HOURS * HOUR_MS),
    ...plans.map((run, at) => ({
      at: last + at * MINUTE_MS,
      run: (site: DemoSite) => run(site, Math.floor(now / 1000)),
    })),
  ];
}

function topicOf(site: DemoSite, channel: string, topic: string) {
  return { stream_id: site.channels.of(channel), topic };
}

/** Plans that most people mark everything as read, the others later or not at all. */
function planReading(at: number): Action[] {
  const draw = createDraw("reading");
  return PEOPLE.filter(({ key }) => !LEAVERS.includes(key)).flatMap(({ key }) => {
    if (draw.chance(0.2)) return [];
    const time = at - Math.round(draw.unit() ** 4 * 6 * DAY_MS);
    return [{ at: time, run: (site: DemoSite) => site.call(key, "POST /mark_all_as_read") }];
  });
}

function planDrafts(): Plan[] {
  const drafts = [
    ["maren", "board", "budget", "Before we vote, two numbers are still missing: "],
    ["jonah", "orchard", "grafting workshop", "Draft of the invitation:\n\n* bring a knife\n* bring tape"],
    ["noa", "languages", "word of the week", "This week: עגבנייה"],
  ] as const;
  return drafts.map(([key, channel, topic, content]) => (site, timestamp) =>
    site.call(key, "POST /drafts", {
      drafts: [{
        type: "stream",
        to: [site.channels.of(channel)],
        topic,
        content,
        timestamp: timestamp - 600,
      }],
    })
  );
}

/** Plans reminders of the newest messages of some people. */
function planReminders(): Plan[] {
  const reminders = [
    ["maren", "ask the board", 20, "I will ask the board about the picnic table."],
    ["lucia", "", 44, "Good question. I will look it up and answer here."],
    ["owen", "bring the key", 68, "I have a second shed key and bring it on Saturday."],
  ] as const;
  return reminders.map(([key, note, hours, content]) => async (site, seconds) => {
    const { id } = await site.call(key, "POST /messages", {
      type: "channel",
      to: site.channels.of("general"),
      topic: "small questions",
      content,
    });
    const scheduled_delivery_timestamp = seconds + hours * HOUR_SECONDS;
    await site.call(key, "POST /reminders", { message_id: id, note, scheduled_delivery_timestamp });
  });
}
