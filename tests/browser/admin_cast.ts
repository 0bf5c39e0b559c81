import assert from "node:assert/strict";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import {
  chromiumTest,
  setupPath,
  type Site,
  testServer,
  type Visit,
  visit,
  type VisitOptions,
} from "./helpers.ts";
import { whenLive } from "./live.ts";

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

/** Public address of a server. */
type Address = Pick<Site, "baseUrl">;

/** Body of a response. */
// deno-lint-ignore no-explicit-any
export type ResponseBody = Record<string, any>;

/** The cast in the store of a server that has stopped. */
interface PreparedCast {
  readonly folder: string;
  readonly people: AdminCast["people"];
  /** Session cookie of the owner. */
  readonly session: string;
  /** Value of the owner's Authorization header. */
  readonly credentials: string;
}

let prepared: Promise<PreparedCast> | undefined;
Deno.test.afterAll(async () => {
  if (prepared !== undefined) await Deno.remove((await prepared).folder, { recursive: true });
});

/** Defines a test with a built server, a browser, and an organization with signed-in users. */
export function adminTest(
  name: string,
  test: (cast: AdminCast) => Promise<void>,
  environment: Record<string, string> = {},
): void {
  chromiumTest(name, async (browser) => {
    prepared ??= prepareCast();
    const cast = await prepared;
    await using folder = await createTestFolder();
    await Deno.copyFile(`${cast.folder}/sotto.kv`, `${folder.path}/sotto.kv`);
    await using server = await TestServer.start({ folder: folder.path, env: environment });
    await testServer(server, browser, async (site) => await test(openCast(site, cast)));
  });
}

/** Creates the cast once for all tests of a file: hashing its passwords takes longer than starting a server. */
async function prepareCast(): Promise<PreparedCast> {
  const folder = await Deno.makeTempDir({ prefix: "sotto-test-" });
  await using server = await TestServer.start({ folder });
  const site = { baseUrl: server.baseUrl, printed: () => server.output };
  await setUp(site);
  const credentials = await fetchCredentials(site, "owner");
  const call = async (endpoint: string, params = {}) =>
    await callApi(site, { endpoint, params, credentials });
  const add = async (part: Exclude<CastRole, "owner">) => {
    const { user_id } = await call("POST /users", { ...nameOf(part), password: PASSWORD });
    await call(`PATCH /users/${user_id}`, { role: ROLES[part] });
    return toCastUser(part, user_id);
  };
  const [owner, admin, moderator, member, guest] = await Promise.all([
    call("GET /users/me").then(({ user_id }) => toCastUser("owner", user_id)),
    add("admin"),
    add("moderator"),
    add("member"),
    add("guest"),
  ]);
  const session = await signIn(site, owner.email);
  assert.equal(await server.stop(), 0);
  return { folder, people: { owner, admin, moderator, member, guest }, session, credentials };
}

/** Opens the cast on a server with a copy of its store. */
function openCast(site: Site, { people, session, credentials }: PreparedCast): AdminCast {
  const sessionOf = once((part) =>
    part === "owner" ? Promise.resolve(session) : signIn(site, nameOf(part).email)
  );
  const credentialsOf = once((part) =>
    part === "owner" ? Promise.resolve(credentials) : fetchCredentials(site, part)
  );
  return {
    site,
    people,
    sessionOf,
    call: async (part, endpoint, params = {}) =>
      await callApi(site, { endpoint, params, credentials: await credentialsOf(part) }),
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

async function setUp(site: Address & Pick<Site, "printed">): Promise<void> {
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

async function fetchCredentials(site: Address, part: CastRole): Promise<string> {
  const { email } = nameOf(part);
  const params = { username: email, password: PASSWORD };
  const { api_key } = await callApi(site, { endpoint: "POST /fetch_api_key", params, credentials: null });
  return basic(email, api_key);
}

function basic(name: string, key: string): string {
  return `Basic ${new TextEncoder().encode(`${name}:${key}`).toBase64()}`;
}

/** Returns a name and address; the name is a single word that no page contains otherwise. */
function nameOf(part: CastRole): { email: string; full_name: string } {
  const names = { owner: "Ada", admin: "Bela", moderator: "Cora", member: "Dilip", guest: "Enno" };
  return { email: `${names[part].toLowerCase()}@example.com`, full_name: names[part] };
}

async function signIn(site: Address, username: string): Promise<string> {
  const response = await post(site, "/login", { username, password: PASSWORD });
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]?.split("=") ?? []);
  const value = cookies.find(([name]) => name === SESSION_COOKIE)?.[1];
  assert.ok(value, `${username} cannot sign in: ${response.status}`);
  return value;
}

async function post(site: Address, path: string, fields: Record<string, string>): Promise<Response> {
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

async function callApi(site: Address, { endpoint, params, credentials }: Call): Promise<ResponseBody> {
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
