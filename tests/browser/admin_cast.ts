import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, setupPath, type Site, type Visit, visit, type VisitOptions } from "./helpers.ts";

/** Everybody in the cast, with the number of his role. */
const ROLES = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;
const SESSION_COOKIE = "sotto_session";

/** A part in the cast: what he may do is what he is called. */
export type Part = keyof typeof ROLES;

/** The password of everybody in the cast. */
export const PASSWORD = "violet kettle seldom 42";
/** What the cast's organization is called. */
export const ORGANIZATION = "Gardeners";

/** Somebody of the cast. */
export interface CastPerson {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/** An organization on a built server, with one person of each role, and browsers that they are signed in with. */
export interface AdminCast {
  readonly site: Site;
  readonly people: Readonly<Record<Part, CastPerson>>;
  /**
   * Opens a page as somebody who is signed in, in a context of its own; the same person has one session in all. The
   * options are Playwright's: `javaScriptEnabled`, `viewport`, `colorScheme`, `locale`, `bypassCSP` (for axe), …
   */
  visitAs(part: Part, path: string, options?: VisitOptions): Promise<Visit>;
  /** The value of somebody's session cookie. */
  sessionOf(part: Part): Promise<string>;
  /**
   * Calls `METHOD /path` below /api/v1 with somebody's key and gives the body; texts and files go as they are, everything
   * else as JSON. A refusal fails the test.
   */
  call(part: Part, endpoint: string, params?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** The body of an answer. */
// deno-lint-ignore no-explicit-any
export type Answer = Record<string, any>;

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

/** A test with a built server, a browser, and an organization whose people are signed in. */
export function adminTest(
  name: string,
  test: (cast: AdminCast) => Promise<void>,
  environment: Record<string, string> = {},
): void {
  browserTest(name, async (site) => await test(await startCast(site)), environment);
}

/** Sets a fresh server up through the link that it printed, and makes the cast. */
async function startCast(site: Site): Promise<AdminCast> {
  await setUp(site);
  const emailOf = (part: Part) => nameOf(part).email;
  const sessionOf = once((part) => signIn(site, emailOf(part)));
  const credentialsOf = once(async (part) => basic(emailOf(part), (await fetchKey(site, part)).api_key));
  const call = async (part: Part, endpoint: string, params = {}) =>
    await callApi(site, { endpoint, params, credentials: await credentialsOf(part) });
  const add = async (part: Exclude<Part, "owner">) => {
    const { user_id } = await call("owner", "POST /users", { ...nameOf(part), password: PASSWORD });
    await call("owner", `PATCH /users/${user_id}`, { role: ROLES[part] });
    return toPerson(part, user_id);
  };
  const [owner, admin, moderator, member, guest] = await Promise.all([
    call("owner", "GET /users/me").then(({ user_id }) => toPerson("owner", user_id)),
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
  assert.equal(response.status, 303, "The organization is not set up");
}

/** One part's answer for each part, asked for when it is first needed. */
function once<T>(ask: (part: Part) => Promise<T>): (part: Part) => Promise<T> {
  const answers = new Map<Part, Promise<T>>();
  return (part) => {
    const answer = answers.get(part) ?? ask(part);
    answers.set(part, answer);
    return answer;
  };
}

function toPerson(part: Part, id: number): CastPerson {
  const { email, full_name: fullName } = nameOf(part);
  return { id, email, fullName };
}

function fetchKey(site: Site, part: Part): Promise<Answer> {
  const params = { username: nameOf(part).email, password: PASSWORD };
  return callApi(site, { endpoint: "POST /fetch_api_key", params, credentials: null });
}

function basic(name: string, key: string): string {
  return `Basic ${new TextEncoder().encode(`${name}:${key}`).toBase64()}`;
}

/** Their names are of one word that no page says by itself. */
function nameOf(part: Part): { email: string; full_name: string } {
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
  /** The header; null without one. */
  readonly credentials: string | null;
}

async function callApi(site: Site, { endpoint, params, credentials }: Call): Promise<Answer> {
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

/** A form, which can hold files where there are any. */
function toBody(params: Call["params"]): URLSearchParams | FormData {
  const values = Object.values(params);
  const body = values.some((value) => value instanceof File) ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (body instanceof FormData && value instanceof File) body.set(name, value);
    else body.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return body;
}
