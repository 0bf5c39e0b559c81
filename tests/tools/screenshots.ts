import { type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { SMTPServer } from "smtp-server";
import { PROJECT, TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { print } from "./suite.ts";

/** Address that the pictures show; the browser finds the server of this run behind it. */
const BASE_URL = "http://localhost:8000";
const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
const FOLDER = `${PROJECT}docs/images`;
const MAX_BYTES = 200_000;
/** Pixels above the element that a page is scrolled to. */
const MARGIN_PX = 20;
const PASSWORD = "violet kettle seldom 42";
const LONG_URL = "https://handbook.example.com/regattas/spring?section=timing&language=en#crews";
const DAY_MINUTES = 24 * 60;
const ROLES = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;

type Role = keyof typeof ROLES;

/** A member of the team; their address is their first name at example.com. */
interface Person {
  readonly name: string;
  readonly role: Role;
}

const ORGANIZATION = "Larkspur Rowing";
/** The owner comes first. */
const PEOPLE: readonly Person[] = [
  { name: "Maren Holt", role: "owner" },
  { name: "Tomas Rehn", role: "admin" },
  { name: "Priya Sandhar", role: "admin" },
  { name: "Jonah Whitlow", role: "moderator" },
  { name: "Lucia Ferrante", role: "moderator" },
  { name: "Owen Darrow", role: "member" },
  { name: "Aiko Tanabe", role: "member" },
  { name: "Samir Haddan", role: "member" },
  { name: "Greta Lindholt", role: "member" },
  { name: "Kofi Boaten", role: "member" },
  { name: "Delia Marsh", role: "member" },
  { name: "Noor Ramani", role: "guest" },
];

const CHANNELS = [
  { name: "announcements", description: "News for the whole club.", is_default_stream: true },
  { name: "general", description: "Questions that fit nowhere else.", is_default_stream: true },
  { name: "training", description: "Weekly plans and results." },
  { name: "regattas", description: "Entries, travel and timing." },
  { name: "boathouse", description: "Repairs, keys and bookings." },
  { name: "website", description: "The public site and its handbook." },
];

const MESSAGES = [
  { from: "Maren", to: "announcements", topic: "season", content: "The season opens on **April 12**." },
  { from: "Jonah", to: "training", topic: "week 14", content: "Two long rows, one with the coxed four." },
  { from: "Aiko", to: "training", topic: "week 14", content: "I can take the stroke seat on Thursday." },
  { from: "Lucia", to: "regattas", topic: "spring regatta", content: "Entries close on Friday, see #214." },
  {
    from: "Owen",
    to: "boathouse",
    topic: "trailer",
    content: "The trailer is back, keys are in the office.",
  },
  { from: "Priya", to: "website", topic: "handbook", content: "The timing page is in review." },
  { from: "Samir", to: "general", topic: "new oars", content: "Ordered, they arrive next week." },
];

const LINKIFIERS = [
  { pattern: "#(?P<number>[0-9]+)", url_template: "https://tracker.example.com/issues/{number}" },
  { pattern: "HB-(?P<page>[a-z-]+)", url_template: "https://handbook.example.com/{page}" },
];

/** An invitation by email, or by link when it has no addresses. */
interface Invitation {
  readonly from: string;
  readonly role: Role;
  readonly channels: readonly string[];
  /** Validity in days; null never expires. */
  readonly days: number | null;
  readonly emails?: string;
}

const INVITATIONS: readonly Invitation[] = [
  { from: "Maren", role: "member", channels: ["announcements", "general"], days: null },
  {
    from: "Tomas",
    role: "admin",
    channels: ["announcements", "boathouse"],
    days: 3,
    emails: "ruth@example.com",
  },
  {
    from: "Priya",
    role: "moderator",
    channels: ["training", "regattas"],
    days: 10,
    emails: "felix@example.com",
  },
  { from: "Tomas", role: "guest", channels: ["regattas"], days: 1 },
  { from: "Jonah", role: "member", channels: ["training"], days: 30, emails: "ines@example.com" },
  {
    from: "Lucia",
    role: "guest",
    channels: ["regattas"],
    days: 7,
    emails: "bram@example.com, hanna@example.com",
  },
];

async function main(): Promise<void> {
  await using mail = await openMailbox();
  await using server = await TestServer.start({ baseUrl: BASE_URL, env: { SMTP_URL: mail.url } });
  await using browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      `--host-resolver-rules=MAP ${new URL(BASE_URL).host} 127.0.0.1:${server.port}`,
    ],
  });
  const context = await browser.newContext({
    baseURL: BASE_URL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    colorScheme: "light",
    locale: "en-US",
    timezoneId: "UTC",
  });
  await Deno.mkdir(FOLDER, { recursive: true });
  await setUp(context, server);
  await fillOrganization(server);
  await drawOverview(await context.newPage());
  await drawInvitations(await context.newPage());
}

/** Accepts and drops the mail of the server, so that pages show that mail is configured. */
async function openMailbox(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done());
    },
  });
  const listening = Promise.withResolvers<void>();
  const inner = server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = inner.address();
  if (address === null || typeof address === "string") throw new Error("The mailbox has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Creates the organization and its owner on the set-up page, which signs the owner in. */
async function setUp(context: BrowserContext, server: TestServer): Promise<void> {
  const link = await waitFor(
    "the server prints the link to its set-up page",
    () => /Set up: (\S+)/.exec(server.output)?.[1] ?? "",
  );
  const owner = PEOPLE.find(({ role }) => role === "owner");
  if (owner === undefined) throw new Error("The team has no owner");
  const page = await context.newPage();
  await page.goto(link);
  const fields = {
    organization: ORGANIZATION,
    full_name: owner.name,
    email: toEmail(owner.name),
    password: PASSWORD,
  };
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
  await page.locator("form:has([name=organization]) button[type=submit]").click();
  await page.waitForURL((url) => url.pathname !== "/setup");
  await page.close();
}

async function fillOrganization(server: TestServer): Promise<void> {
  const team = new Team(server);
  await team.signIn("Maren");
  for (const person of PEOPLE.filter(({ role }) => role !== "owner")) await addPerson(team, person);
  const { members } = await team.call("Maren", "GET /users");
  const subscribers = members.filter(({ is_bot }: Answer) => !is_bot).map(({ user_id }: Answer) => user_id);
  const channelIds = new Map<string, number>();
  for (const channel of CHANNELS) {
    const { id } = await team.call("Maren", "POST /channels/create", { ...channel, subscribers });
    channelIds.set(channel.name, id);
  }
  for (const linkifier of LINKIFIERS) await team.call("Maren", "POST /realm/filters", linkifier);
  for (const { from, ...message } of MESSAGES) {
    await team.call(from, "POST /messages", { type: "channel", ...message });
  }
  for (const invitation of INVITATIONS) await invite(team, invitation, channelIds);
}

async function addPerson(team: Team, { name, role }: Person): Promise<void> {
  const params = { email: toEmail(name), full_name: name, password: PASSWORD };
  const { user_id } = await team.call("Maren", "POST /users", params);
  await team.call("Maren", `PATCH /users/${user_id}`, { role: ROLES[role] });
  await team.signIn(toFirstName(name));
}

async function invite(team: Team, invitation: Invitation, channelIds: Map<string, number>): Promise<void> {
  const { from, role, channels, days, emails } = invitation;
  const offer = {
    invite_as: ROLES[role],
    stream_ids: channels.map((name) => channelIds.get(name)),
    invite_expires_in_minutes: days === null ? null : days * DAY_MINUTES,
  };
  if (emails === undefined) await team.call(from, "POST /invites/multiuse", offer);
  else await team.call(from, "POST /invites", { ...offer, invitee_emails: emails });
}

/** Draws the home page with a link that was shortened in its form. */
async function drawOverview(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Long URL").fill(LONG_URL);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.getByRole("button", { name: "Copy short link" }).waitFor();
  await scrollTo(page, page.getByRole("img", { name: /invisible characters$/ }));
  await draw(page, "overview.png");
}

async function drawInvitations(page: Page): Promise<void> {
  await page.goto("/admin/invitations");
  await page.locator("#invitations time").first().waitFor();
  await scrollTo(page, page.locator("#list-title"));
  await draw(page, "invitations.png");
}

/** Scrolls a page so that an element is near its upper edge. */
async function scrollTo(page: Page, element: Locator): Promise<void> {
  const box = await element.boundingBox();
  await page.evaluate((top) => globalThis.scrollTo({ top, behavior: "instant" }), (box?.y ?? 0) - MARGIN_PX);
}

async function draw(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(async () => await document.fonts.ready);
  const path = `${FOLDER}/${name}`;
  const { length } = await page.screenshot({ path, animations: "disabled" });
  if (length > MAX_BYTES) throw new Error(`${path} has ${length} bytes, more than ${MAX_BYTES}`);
  print(`${path} (${length} bytes)`);
}

/** The body of an API response. */
// deno-lint-ignore no-explicit-any
type Answer = Record<string, any>;

/** API access of the members of the team, by first name. */
class Team {
  readonly #credentials = new Map<string, string>();

  constructor(readonly server: TestServer) {}

  /** Fetches the API key of a member. */
  async signIn(firstName: string): Promise<void> {
    const username = toEmail(firstName);
    const { api_key } = await this.call("", "POST /fetch_api_key", { username, password: PASSWORD });
    this.#credentials.set(firstName, `Basic ${btoa(`${username}:${api_key}`)}`);
  }

  /**
   * Calls `METHOD /path` below /api/v1 as a member, or as a visitor when no member has the name.
   * @throws Error when the request is refused.
   */
  async call(
    firstName: string,
    endpoint: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> {
    const [method = "GET", path = "/"] = endpoint.split(" ");
    const authorization = this.#credentials.get(firstName);
    const fields = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const response = await this.server.fetch(`/api/v1${path}`, {
      method,
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      ...(fields.length === 0 ? {} : { body: new URLSearchParams(fields) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${endpoint} of ${firstName}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

function toFirstName(name: string): string {
  return name.split(" ")[0] ?? name;
}

function toEmail(name: string): string {
  return `${toFirstName(name).toLowerCase()}@example.com`;
}

await main();
