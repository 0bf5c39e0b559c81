import assert from "node:assert/strict";
import type { FullOrganization } from "@/tests/casts/full_organization_cast.ts";
import { basic, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

/** A request to an organization with many records. */
export interface CostlyRequest {
  readonly title: string;
  /** Sends the request, reads the answer without parsing it, and returns its status and length in bytes. */
  readonly send: () => Promise<{ status: number; bytes: number }>;
}

/** Contents of 10,000 characters that take long to render. */
const COSTLY_UNITS = [
  ":+1:",
  "😀",
  ":) ",
  "|a|b|\n|-|-|\n",
  "* a\n  * b\n",
  "a\n",
  "*a* ",
  "z a ",
  "@**Owner** ",
  "@**|9**",
  "#**main>a**",
  "https://a.example/z ",
  "> a\n\n",
  "`a` ",
  "```\na\n```\n",
  "[a](/b) ",
];
const LENGTH = 10_000;
const NARROWS: readonly TestParams[] = [
  { narrow: [["has", "link"]] },
  { narrow: [["is", "mentioned"]] },
  { narrow: [["is", "unread"]] },
  { narrow: [["is", "followed"]] },
  { narrow: [["search", "nosuch*"]] },
  { narrow: [["search", '"x001 x003"']] },
  { narrow: [["dm-including", 1]] },
  { apply_markdown: false },
  {},
];

/** Paths of the API description that need something that the organization lacks: a file, a picture, a queue. */
const OTHERS =
  /^\/(?:emoji|avatar|\{short\}|links\/\{short\})|user_uploads|\/events$|\/messages$|matches_narrow$|presence$|email_address$/;
/** Paths that take an API key. */
const API_PATH = /^\/(?:api\/|links$|blocked-hosts$)/;
/** Paths for bots, and for the owner of one. */
const OF_BOTS = /\/bot_storage$/;
const OF_BOT_OWNERS = /\/bots\/\d+\/api_key$/;

/** Lists every request that reads, as the API description names them, and the costliest requests that write. */
export async function listCostlyRequests(org: FullOrganization): Promise<CostlyRequest[]> {
  return [...await listReads(org), ...listMessageReads(org), ...listWrites(org)];
}

async function listReads(org: FullOrganization): Promise<CostlyRequest[]> {
  const { paths } = await (await org.request("/openapi.json")).json();
  const described: string[] = Object.keys(paths).filter((path) => paths[path].get !== undefined);
  const pages = ["/", "/docs", "/login", "/forgot-password", "/nothing/here"];
  return [...described.filter((path) => !OTHERS.test(path)), ...pages].map((path) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => sampleOf(org, name));
    const query = path.endsWith("/get_stream_id") ? "?stream=main" : path === "/api/v1/streams" ? LISTED : "";
    return toRequest(org, callerOf(org, filled), `GET ${filled}${query}`);
  });
}

const LISTED = "?include_all=true";

function callerOf({ owner, member, bot }: FullOrganization, path: string): TestUser {
  if (OF_BOTS.test(path)) return bot;
  return OF_BOT_OWNERS.test(path) ? member : owner;
}

function sampleOf({ owner, bot, channelId, messageIds }: FullOrganization, name: string): string {
  const samples: Readonly<Record<string, number | undefined>> = {
    user: owner.id,
    user_id: owner.id,
    bot_id: bot.id,
    stream_id: channelId,
    message_id: messageIds.at(-1),
    // A system group of the organization.
    user_group_id: 3,
  };
  assert.ok(samples[name] !== undefined, `Add a sample of ${name}`);
  return String(samples[name]);
}

function listMessageReads(org: FullOrganization): CostlyRequest[] {
  const { owner, messageIds } = org;
  const path = "GET /api/v1/messages";
  const window = { anchor: "newest", num_before: 5000, num_after: 0 };
  const ids = messageIds.slice(0, 500);
  return [
    ...NARROWS.map((params) => toRequest(org, owner, path, { ...window, ...params })),
    toRequest(org, owner, path, { anchor: "first_unread", num_before: 2000, num_after: 2000 }),
    toRequest(org, owner, path, {
      anchor: messageIds[Math.floor(messageIds.length / 2)],
      num_before: 2000,
      num_after: 2000,
    }),
    toRequest(org, owner, path, { message_ids: ids }),
    toRequest(org, owner, `${path}/matches_narrow`, { msg_ids: ids, narrow: [["search", "x0*"]] }),
  ];
}

function listWrites(org: FullOrganization): CostlyRequest[] {
  const { owner, member, channelId, messageIds } = org;
  const words = (letter: string) => Array.from({ length: 1500 }, (_, at) => `${letter}${at}`).join(" ");
  const message = { type: "channel", to: channelId, topic: "z a ".repeat(15) };
  return [
    ...COSTLY_UNITS.map((unit) => {
      const content = unit.repeat(Math.floor(LENGTH / unit.length));
      return toRequest(org, owner, "POST /api/v1/messages/render", { content });
    }),
    toRequest(org, owner, "POST /api/v1/register"),
    toRequest(org, owner, "POST /api/v1/messages", { ...message, content: words("a") }),
    toRequest(org, member, `PATCH /api/v1/messages/${messageIds[0]}`, { content: words("b") }),
    toRequest(org, owner, "POST /api/v1/messages/flags", {
      messages: messageIds,
      op: "add",
      flag: "starred",
    }),
    toRequest(org, owner, "POST /api/v1/messages/flags/narrow", {
      ...{ anchor: "oldest", num_before: 0, num_after: 5000, narrow: [] },
      ...{ op: "add", flag: "collapsed" },
    }),
    toRequest(org, owner, "POST /api/v1/mark_all_as_read"),
    toRequest(org, owner, "POST /api/v1/export/realm"),
    toJsonRequest(org, "/", { url: `https://example.com/${"x".repeat(450)}` }),
  ];
}

function toRequest(
  org: FullOrganization,
  { email, apiKey }: TestUser,
  endpoint: string,
  params: TestParams = {},
): CostlyRequest {
  const [method = "", path = ""] = endpoint.split(" ");
  const pairs = Object.entries(params).map((
    [name, value],
  ) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  const form = new URLSearchParams(pairs);
  const headers = API_PATH.test(path) ? { authorization: basic(email, apiKey) } : { accept: "text/html" };
  const query = method === "GET" && pairs.length > 0 ? `?${form}` : "";
  const init: RequestInit = method === "GET" ? { method, headers } : { method, headers, body: form };
  const title = `${endpoint} ${JSON.stringify(params).slice(0, 80)}`;
  return { title, send: async () => await drain(await org.request(path + query, init)) };
}

function toJsonRequest(org: FullOrganization, path: string, body: object): CostlyRequest {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return { title: `POST ${path}`, send: async () => await drain(await org.request(path, init)) };
}

async function drain({ status, body }: Response): Promise<{ status: number; bytes: number }> {
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.length;
  return { status, bytes };
}
