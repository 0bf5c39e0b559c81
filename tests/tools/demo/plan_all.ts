import type { Action, Timeline } from "./agenda.ts";
import type { DemoVolumes } from "./options.ts";
import { planBots } from "./plan_bots.ts";
import { planChannels } from "./plan_channels.ts";
import { planInvitations } from "./plan_invitations.ts";
import { planLinks } from "./plan_links.ts";
import { planMessages } from "./plan_messages.ts";
import { planPersonal } from "./plan_personal.ts";
import { planSettings } from "./plan_settings.ts";
import { planPeople, planPresence, planProfiles } from "./plan_people.ts";

/** Days before the end at which the organization's settings and people's profiles are filled in. */
const DAYS = { settings: 61, profiles: 54 } as const;

/** Plans everything that happens in the organization after its creation, in no order. */
export function planAll(timeline: Timeline, volumes: DemoVolumes): readonly Action[] {
  const { messages: count, messageDays: days } = volumes;
  return [
    ...planPeople(timeline, volumes.avatars),
    ...planChannels(timeline),
    ...planSettings(timeline, DAYS.settings),
    ...planProfiles(timeline, DAYS.profiles),
    ...planBots(timeline, days),
    ...planInvitations(timeline),
    ...planMessages(timeline, { count, days }),
    ...planPersonal(timeline),
    ...planPresence(timeline),
    ...planLinks(timeline, volumes),
  ];
}
