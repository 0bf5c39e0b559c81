import { type Action, HOUR_MS, MINUTE_MS, type Timeline } from "./agenda.ts";
import { EMOJI, LINKIFIERS, PLAYGROUNDS, PROFILE_FIELDS } from "./content/settings.ts";
import { ORGANIZATION } from "./content/people.ts";
import { drawFlower, toPictureFile } from "./pictures.ts";
import type { DemoSite, Params } from "./site.ts";

/** Width and height of emoji and of the icon in pixels. */
const SIZES = { emoji: 64, icon: 256 } as const;
const WELCOME = "Welcome! Say hello in #**introductions**, and ask anything in #**general**.";

/** Plans the settings of the organization, from a day on: profile, fields, linkifiers, playgrounds, emoji. */
export function planSettings({ daysAgo }: Timeline, day: number): Action[] {
  const calls: readonly ((site: DemoSite) => Promise<unknown>)[] = [
    describeOrganization,
    ...Object.entries(PROFILE_FIELDS).map(([key, params]) => (site: DemoSite) =>
      createField(site, key, params)
    ),
    ...LINKIFIERS.map((params) => (site: DemoSite) => site.call("jonah", "POST /realm/filters", params)),
    ...PLAYGROUNDS.map((params) => (site: DemoSite) => site.call("jonah", "POST /realm/playgrounds", params)),
    ...EMOJI.map((name) => (site: DemoSite) => createEmoji(site, name)),
    (site) =>
      site.call("maren", "POST /realm/domains", { domain: "larkspur.example", allow_subdomains: true }),
  ];
  return calls.map((run, at) => ({ at: daysAgo(day) + HOUR_MS + at * 3 * MINUTE_MS, run }));
}

async function describeOrganization(site: DemoSite): Promise<void> {
  await site.call("maren", "PATCH /realm", {
    description: "Sixty plots, one orchard and a library of seeds, tools and books.",
    welcome_message_custom_text: WELCOME,
    enable_spectator_access: true,
  });
  const file = toPictureFile(await drawFlower(ORGANIZATION, SIZES.icon), "icon.png");
  await site.call("maren", "POST /realm/icon", { file });
}

async function createField(site: DemoSite, key: string, params: Params): Promise<void> {
  const { id } = await site.call("priya", "POST /realm/profile_fields", params);
  site.fields.set(key, id);
}

async function createEmoji(site: DemoSite, name: string): Promise<void> {
  const file = toPictureFile(await drawFlower(name, SIZES.emoji), `${name}.png`);
  await site.call("lucia", `POST /realm/emoji/${name}`, { file });
}
