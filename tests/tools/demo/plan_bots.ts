import { type Action, DAY_MS, HOUR_MS, type Timeline } from "./agenda.ts";
import { createDraw } from "./draw.ts";
import type { DemoSite, Params } from "./site.ts";

/** Numbers of the types of bots in the API. */
const TYPES = { generic: 1, incoming: 2, outgoing: 3 } as const;
/** Days before the end at which bots are created. */
const DAY = 50.3;
const INTERNAL = "https://hooks.larkspur.example/messages";

interface DemoBot {
  readonly owner: string;
  readonly name: string;
  readonly shortName: string;
  readonly type: keyof typeof TYPES;
  readonly params?: Params;
}

const BOTS: readonly DemoBot[] = [
  { owner: "jonah", name: "Weather station", shortName: "weather", type: "incoming" },
  { owner: "samir", name: "Tool desk", shortName: "tool-desk", type: "incoming" },
  { owner: "yuki", name: "Calendar", shortName: "calendar", type: "generic" },
  {
    owner: "priya",
    name: "Plant doctor",
    shortName: "plant-doctor",
    type: "outgoing",
    params: { payload_url: INTERNAL },
  },
];

/** Plans the bots and what their webhooks post. */
export function planBots(timeline: Timeline, days: number): Action[] {
  const creations = BOTS.map((bot, at) => ({
    at: timeline.daysAgo(DAY) + at * HOUR_MS,
    run: (site: DemoSite) => createBot(site, bot),
  }));
  return [...creations, ...planReports(timeline, days)];
}

async function createBot(site: DemoSite, { owner, name, shortName, type, params }: DemoBot): Promise<void> {
  const fields = { full_name: name, short_name: shortName, bot_type: TYPES[type], ...params };
  const { user_id, api_key } = await site.call(owner, "POST /bots", fields);
  site.people.set(shortName, user_id);
  if (type === "incoming") site.webhookKeys.set(shortName, api_key);
}

/** Plans a report of the weather station each morning, and of the tool desk on some evenings. */
function planReports({ now, daysAgo }: Timeline, days: number): Action[] {
  const draw = createDraw("bots");
  const actions: Action[] = [];
  for (let day = days; day > 0; day--) {
    const [low, high, rain] = [draw.between(28, 58), draw.between(59, 81), draw.below(12) / 10];
    const frost = low < 34 ? " :warning: Cover the seedlings tonight." : "";
    const text = `Yesterday: low **${low} °F**, high **${high} °F**, rain **${rain} in**.${frost}`;
    const topic = rain > 0.5 ? "rain" : "frost";
    const at = daysAgo(day);
    actions.push({
      at,
      run: (site) => site.postWebhook("weather", { stream: "weather", topic }, { text }),
    });
    if (!draw.chance(0.4)) continue;
    const report = { tool: `T-${draw.between(100, 299)}`, state: "overdue", days: draw.between(1, 9) };
    actions.push({
      at: Math.min(now, at + DAY_MS / 3),
      run: (site) => site.postWebhook("tool-desk", { stream: "tool library", topic: "overdue" }, report),
    });
  }
  return actions;
}
