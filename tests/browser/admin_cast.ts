import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, setupPath, type Site, type Visit, visit, type VisitOptions } from "./helpers.ts";

/** Role numbers of the cast. */
const ROLES = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;
const SESSION_COOKIE = "sotto_session";

/** Name of a user in the cast, which is also their role. */
export type CastRole = keyof typeof ROLES;

/** Password of every user in the cast. */
export const PASSWORD = "violet kettle seldom 42";
/** Name of the cast's organization. */
export const ORGANIZATION = "Gardeners";

/** A user of the cast. */
export interface CastUser {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/** An organization on a built server, with a user of each role, and browsers signed in as them. */
export interface AdminCast {
  readonly site: Site;
  readonly people: Readonly<Record<CastRole, CastUser>>;
  /**
   * Opens a page as a signed-in user, in its own browser context; each user has one session in total. The
   * options are Playwright's: `javaScriptEnabled`, `viewport`, `colorScheme`, `locale`, `bypassCSP` (for
   * axe), …
   */
  visitAs(part: CastRole, path: string, options?: VisitOptions): Promise<Visit>;
  /** Returns a user's session cookie. */
  sessionOf(part: CastRole): Promise<string>;
  /**
   * Calls `METHOD /path` below /api/v1 as a user and returns the body; texts and files are sent unchanged,
   * everything else as JSON. A refusal fails the test.
   */
  call(part: CastRole, endpoint: string, params?: Readonly<Record<string, unknown>>): Promise<ResponseBody>;
}

/** Body of a response. */
// deno-lint-ignore no-explicit-any
export type ResponseBody = Record<string, any>;

/** Waits until a page is loaded and the effects of its islands have run. */
export async function whenLive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.readyState === "complete" && document.querySelector("button[data-opens][disabled]") === null
  );
}

/** Waits until a page shows a text and its islands work, as after a form was sent. */
export async function whenShown(page: Page, text: string): Promise<void> {
  await page.getByText(text).waitFor();
  await whenLive(page);
}

/** Defines a test with a built server, a browser, and an organization with signed-in users. */
export function adminTest(
  name: string,
  test: (cast: AdminCast) => Promise<void>,
  environment: Record<string, string> = {},
): void {
  browserTest(name, async (site) => await test(await startCast(site)), environment);
}

/** Sets up a new server through the link that it printed, and creates the cast. */
async function startCast(site: Site): Promise<AdminCast> {
  await setUp(site);
  const emailOf = (part: CastRole) => nameOf(part).email;
  const sessionOf = once((part) => signIn(site, emailOf(part)));
  const credentialsOf = once(async (part) => basic(emailOf(part), (await fetchKey(site, part)).api_key));
  const call = async (part: CastRole, endpoint: string, params = {}) =>
    await callApi(site, { endpoint, params, credentials: await credentialsOf(part) });
  const add = async (part: Exclude<CastRole, "owner">) => {
    const { user_id } = await call("owner", "POST /users", { ...nameOf(part), password: PASSWORD });
    await call("owner", `PATCH /users/${user_id}`, { role: ROLES[part] });
    return toCastUser(part, user_id);
  };
  const [owner, admin, moderator, member, guest] = await Promise.all([
    call("owner", "GET /users/me").then(({ user_id }) => toCastUser("owner", user_id)),
    add("admin"),
    add("moderator"),
    add("member"),
    add("guest"),
  ]);
  return {
    site,
    people: { owner, admin, moderator, member, guest },
    sessionOf,
    call,
    visitAs: async (part, path, options = {}) => {
      const value = await sessionOf(part);
      const cookie = { name: SESSION_COOKIE, value, domain: "localhost", path: "/", expires: -1 };
      const cookies = [{ ...cookie, httpOnly: true, secure: false, sameSite: "Lax" as const }];
      const visited = await visit(site, path, { storageState: { cookies, origins: [] }, ...options });
      if (options.javaScriptEnabled !== false) await whenLive(visited.page);
      return visited;
    },
  };
}

async function setUp(site: Site): Promise<void> {
  const token = new URL(await setupPath(site), site.baseUrl).searchParams.get("token") ?? "";
  const { email, full_name } = nameOf("owner");
  const response = await post(site, "/setup", {
    token,
    organization: ORGANIZATION,
    full_name,
    email,
    password: PASSWORD,
  });
  assert.equal(response.status, 303, "Organization is not set up");
}

/** Caches one result per role, requested on first use. */
function once<T>(ask: (part: CastRole) => Promise<T>): (part: CastRole) => Promise<T> {
  const answers = new Map<CastRole, Promise<T>>();
  return (part) => {
    const answer = answers.get(part) ?? ask(part);
    answers.set(part, answer);
    return answer;
  };
}

function toCastUser(part: CastRole, id: number): CastUser {
  const { email, full_name: fullName } = nameOf(part);
  return { id, email, fullName };
}

function fetchKey(site: Site, part: CastRole): Promise<ResponseBody> {
  const params = { username: nameOf(part).email, password: PASSWORD };
  return callApi(site, { endpoint: "POST /fetch_api_key", params, credentials: null });
}

function basic(name: string, key: string): string {
  return `Basic ${new TextEncoder().encode(`${name}:${key}`).toBase64()}`;
}

/** Returns a name and address; the name is a single word that no page contains otherwise. */
function nameOf(part: CastRole): { email: string; full_name: string } {
  const names = { owner: "Ada", admin: "Bela", moderator: "Cora", member: "Dilip", guest: "Enno" };
  return { email: `${names[part].toLowerCase()}@example.com`, full_name: names[part] };
}

async function signIn(site: Site, username: string): Promise<string> {
  const response = await post(site, "/login", { username, password: PASSWORD });
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]?.split("=") ?? []);
  const value = cookies.find(([name]) => name === SESSION_COOKIE)?.[1];
  assert.ok(value, `${username} cannot sign in: ${response.status}`);
  return value;
}

async function post(site: Site, path: string, fields: Record<string, string>): Promise<Response> {
  const response = await fetch(site.baseUrl + path, {
    method: "POST",
    headers: { origin: site.baseUrl },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  await response.body?.cancel();
  return response;
}

interface Call {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Value of the header; null sends none. */
  readonly credentials: string | null;
}

async function callApi(site: Site, { endpoint, params, credentials }: Call): Promise<ResponseBody> {
  const [method = "GET", path = "/"] = endpoint.split(" ");
  const body = toBody(params);
  const headers: HeadersInit = credentials === null ? {} : { authorization: credentials };
  const url = `${site.baseUrl}/api/v1${path}`;
  const response = method === "GET"
    ? await fetch(body instanceof FormData || body.size === 0 ? url : `${url}?${body}`, { headers })
    : await fetch(url, { method, headers, body });
  const answer = await response.json();
  assert.equal(response.status, 200, `${endpoint}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Returns a multipart form if there are files, else a URL-encoded one. */
function toBody(params: Call["params"]): URLSearchParams | FormData {
  const values = Object.values(params);
  const body = values.some((value) => value instanceof File) ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (body instanceof FormData && value instanceof File) body.set(name, value);
    else body.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return body;
}
