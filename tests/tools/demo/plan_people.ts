import { type Action, DAY_MS, HOUR_MS, MINUTE_MS, type Timeline } from "./agenda.ts";
import { emailOf, JOINERS, LEAVERS, PEOPLE, type Person, ROLES } from "./content/people.ts";
import { PROFILE_VALUES, STATUSES } from "./content/settings.ts";
import { createDraw, type Draw } from "./draw.ts";
import { drawFlower, toPictureFile } from "./pictures.ts";
import type { DemoSite } from "./site.ts";

/** Days before the end at which the organization begins. */
export const FIRST_DAY = 90;
/** Width and height of avatars in pixels. */
const AVATAR_SIZE = 128;
/** Share of people with an avatar, and with values in their profile. */
const SHARES = { avatar: 0.75, profile: 0.85 } as const;
/** Duration of adding a person with an avatar, relative to that of one request. */
const PERSON_WEIGHT = 12;
/** Days before the end at which people leave. */
const LEAVING_DAY = 12.2;

/** Returns the person who creates the organization. */
export function getFounder(): Person {
  for (const person of PEOPLE) return person;
  throw new Error("The demo has no people");
}

/** Plans how people are added, in the first four weeks, at most `avatars` with one, and how some of them leave. */
export function planPeople({ daysAgo }: Timeline, avatars: number): Action[] {
  const [founder, ...others] = PEOPLE;
  const drawn = PEOPLE.filter(({ key }) => createDraw(`avatar ${key}`).chance(SHARES.avatar));
  const pictured = new Set(drawn.slice(0, avatars).map(({ key }) => key));
  const step = 28 / PEOPLE.length;
  return [
    ...(founder === undefined ? [] : [{
      at: daysAgo(FIRST_DAY) + HOUR_MS,
      run: (site: DemoSite) => describePerson(site, founder, pictured),
    }]),
    ...others.map((person, at) => ({
      at: daysAgo(FIRST_DAY - 0.5 - at * step),
      run: (site: DemoSite) => addPerson(site, person, pictured),
      weight: PERSON_WEIGHT,
    })),
    ...LEAVERS.map((key, at) => ({
      at: daysAgo(LEAVING_DAY) + at * HOUR_MS,
      run: (site: DemoSite) => site.call("priya", `DELETE /users/${site.people.of(key)}`),
    })),
  ];
}

async function addPerson(site: DemoSite, person: Person, pictured: ReadonlySet<string>): Promise<void> {
  const { key, name, role } = person;
  const params = { email: emailOf(key), full_name: name, password: site.password };
  const { user_id } = await site.call("maren", "POST /users", params);
  site.people.set(key, user_id);
  if (role !== "member") await site.call("maren", `PATCH /users/${user_id}`, { role: ROLES[role] });
  await site.signIn(key);
  await describePerson(site, person, pictured);
}

/** Sets what people say about themselves: time zone and, for most, a picture. */
async function describePerson(
  site: DemoSite,
  { key, zone }: Person,
  pictured: ReadonlySet<string>,
): Promise<void> {
  await site.call(key, "PATCH /settings", { timezone: zone });
  if (!pictured.has(key)) return;
  const file = toPictureFile(await drawFlower(key, AVATAR_SIZE), "avatar.png");
  await site.call(key, "POST /users/me/avatar", { file });
}

/** Plans the values of profile fields, on the day after the fields were created. */
export function planProfiles(timeline: Timeline, day: number): Action[] {
  const draw = createDraw("profiles");
  return PEOPLE.filter(() => draw.chance(SHARES.profile)).map(({ key }, at) => {
    const values = drawProfile(draw, timeline);
    return {
      at: timeline.daysAgo(day) + at * 7 * MINUTE_MS,
      run: (site) => {
        const neighbor = values.neighbor === key ? getFounder().key : values.neighbor;
        const texts = Object.entries(values.texts).map(([field, value]) => ({
          id: site.fields.of(field),
          value,
        }));
        const neighbors = { id: site.fields.of("neighbors"), value: [site.people.of(neighbor)] };
        return site.call(key, "PATCH /users/me/profile_data", { data: [...texts, neighbors] });
      },
    };
  });
}

function drawProfile(draw: Draw, { daysAgo }: Timeline) {
  const texts: Record<string, string> = {
    plot: `${draw.between(1, 64)}`,
    plant: draw.pick(PROFILE_VALUES.plants),
    experience: `${draw.between(1, 3)}`,
    since: new Date(daysAgo(draw.between(100, 3000))).toISOString().slice(0, 10),
  };
  if (draw.chance(0.5)) texts["about"] = draw.pick(PROFILE_VALUES.about);
  if (draw.chance(0.4)) texts["pronouns"] = draw.pick(PROFILE_VALUES.pronouns);
  if (draw.chance(0.3)) texts["page"] = `https://plots.larkspur.example/${texts["plot"]}`;
  return { texts, neighbor: draw.pick(PEOPLE.filter(({ key }) => !LEAVERS.includes(key))).key };
}

/** Plans when people were last active, in the last days and hours, and the statuses of some. */
export function planPresence({ now, daysAgo }: Timeline): Action[] {
  const draw = createDraw("presence");
  const people = [...PEOPLE, ...JOINERS].filter(({ key }) => !LEAVERS.includes(key));
  const reports = people.map(({ key }, index) => {
    const isOnline = index % 5 === 0;
    const at = isOnline ? now - draw.below(MINUTE_MS) : now - Math.round(draw.unit() ** 4 * 9 * DAY_MS);
    const status = draw.chance(0.8) ? "active" : "idle";
    return { at, run: (site: DemoSite) => site.call(key, "POST /users/me/presence", { status }) };
  });
  const statuses = STATUSES.map(([status_text, emoji_name], at) => ({
    at: daysAgo(1) + at * HOUR_MS,
    run: (site: DemoSite) =>
      site.call(people[at * 7]?.key ?? getFounder().key, "POST /users/me/status", {
        status_text,
        emoji_name,
      }),
  }));
  return [...reports, ...statuses];
}
