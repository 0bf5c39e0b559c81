import { type Action, HOUR_MS, type Timeline } from "./agenda.ts";
import { emailOf, JOINERS, type Person, type RoleName, ROLES } from "./content/people.ts";
import type { DemoSite } from "./site.ts";

const DAY_MINUTES = 1440;
/** Days before the end at which people join, and days between two of them. */
const JOINING = { firstDay: 26.1, everyDays: 2.37 } as const;
/** People who join by the reusable link instead of an email invitation. */
const BY_LINK = ["abel", "wren"];
/** Name of their reusable link. */
const OPEN_LINK = "notice board";

/** An invitation by email, or by link when it has no addresses. */
interface Offer {
  readonly from: string;
  readonly role: RoleName;
  readonly channels: readonly string[];
  /** Days before the end at which it is created. */
  readonly day: number;
  /** Validity in days; null never expires. */
  readonly days: number | null;
  readonly emails?: string;
}

const OFFERS: readonly Offer[] = [
  { from: "maren", role: "member", channels: ["general", "vegetables"], day: 29.6, days: null },
  { from: "priya", role: "guest", channels: ["kitchen"], day: 45.3, days: 10, emails: "tilda@example.com" },
  {
    from: "noa",
    role: "member",
    channels: ["general"],
    day: 40.2,
    days: 7,
    emails: "edda@example.com, raul@example.com",
  },
  { from: "tomas", role: "guest", channels: ["open day"], day: 35.25, days: 14 },
  {
    from: "lucia",
    role: "moderator",
    channels: ["seed library", "books"],
    day: 4.13,
    days: 10,
    emails: "ida@example.com",
  },
  {
    from: "tomas",
    role: "admin",
    channels: ["general", "board"],
    day: 2.21,
    days: 3,
    emails: "ruben@example.com",
  },
  {
    from: "jonah",
    role: "member",
    channels: ["orchard", "rainwater"],
    day: 1.44,
    days: 30,
    emails: "petra@example.com, quentin@example.com",
  },
  { from: "maren", role: "guest", channels: ["weather"], day: 1.07, days: 2 },
  {
    from: "delia",
    role: "member",
    channels: ["kids corner"],
    day: 0.31,
    days: 7,
    emails: "alba@example.com",
  },
];
/** Position in OFFERS of an invitation that is taken back, and days before the end when that happens. */
const REVOKED = { offer: 3, day: 34 } as const;

/** Plans invitations: open, expired and revoked ones, and people who accept theirs. */
export function planInvitations({ daysAgo }: Timeline): Action[] {
  return [
    ...OFFERS.map((offer, at) => ({
      at: daysAgo(offer.day),
      run: (site: DemoSite) => invite(site, offer, `${at}`),
    })),
    {
      at: daysAgo(REVOKED.day),
      run: (site) => site.call("tomas", `DELETE /invites/multiuse/${site.invites.of(`${REVOKED.offer}`)}`),
    },
    ...JOINERS.flatMap((person, at) =>
      planJoining(person, daysAgo(JOINING.firstDay - at * JOINING.everyDays))
    ),
  ];
}

async function invite(site: DemoSite, offer: Offer, name: string): Promise<void> {
  const params = {
    invite_as: ROLES[offer.role],
    stream_ids: offer.channels.map((channel) => site.channels.of(channel)),
    invite_expires_in_minutes: offer.days === null ? null : offer.days * DAY_MINUTES,
  };
  if (offer.emails !== undefined) {
    await site.call(offer.from, "POST /invites", { ...params, invitee_emails: offer.emails });
    return;
  }
  const { invite_link } = await site.call(offer.from, "POST /invites/multiuse", params);
  const { invites } = await site.call(offer.from, "GET /invites");
  const isThis = ({ link_url }: { link_url?: string }) => link_url === invite_link;
  site.invites.set(name, invites.find(isThis)?.id);
  if (offer.days === null) site.joinPaths.set(OPEN_LINK, new URL(invite_link).pathname);
}

/** Plans how a person is invited, joins half a day later, and says hello. */
function planJoining(person: Person, at: number): Action[] {
  const { key, role } = person;
  const email = emailOf(key);
  return [
    ...(BY_LINK.includes(key) ? [] : [{
      at,
      run: (site: DemoSite) =>
        site.call("noa", "POST /invites", {
          invitee_emails: email,
          invite_as: ROLES[role],
          stream_ids: ["general", "introductions", "kitchen"].map((name) => site.channels.of(name)),
        }),
    }]),
    { at: at + 12 * HOUR_MS, run: (site) => join(site, person) },
    {
      at: at + 13 * HOUR_MS,
      run: (site) =>
        site.call(key, "POST /messages", {
          type: "channel",
          to: site.channels.of("general"),
          topic: "volunteers",
          content: "Hello everyone! I am new here, and happy to help on weekends. :wave:",
        }),
    },
  ];
}

async function join(site: DemoSite, { key, name, zone }: Person): Promise<void> {
  const email = emailOf(key);
  const path = BY_LINK.includes(key) ? site.joinPaths.get(OPEN_LINK) ?? "" : await site.findJoinPath(email);
  await site.submit(path, { email, full_name: name, password: site.password });
  await site.app.services.joinFinisher.sweep();
  await site.signIn(key);
  const { user_id } = await site.call(key, "GET /users/me");
  site.people.set(key, user_id);
  await site.call(key, "PATCH /settings", { timezone: zone });
}
