import fc from "@/tests/helpers/fast_check.ts";
import { hostileHeaders } from "./hostile_parts.ts";
import { escape } from "./encodings.ts";
import { placeholder } from "./known_ids.ts";
import { CALLERS, type FuzzRequest, type Header, toRequest } from "./request.ts";
import { hostileText, hugeText } from "./values.ts";

const TUS_METHODS = ["POST", "PATCH", "HEAD", "DELETE", "OPTIONS", "GET"];
const LENGTHS = [
  "0",
  "1",
  "5",
  "70",
  "1000",
  "26214400",
  "26214401",
  "-1",
  "1e3",
  "99999999999999999999",
  "x",
  "",
];
const METADATA = [
  "filename YS5wbmc=,filetype aW1hZ2UvcG5n",
  "filename",
  "filename YS5wbmc=,filename Yi5wbmc=",
  "filename !!!",
  ",,,",
  "filename /w==",
  "filetype dGV4dC9odG1sDQp4OiB5",
  `filename ${"YWFh".repeat(5000)}`,
  `filename ${"YWFh".repeat(30_000)}`,
];

/** Returns steps of resumable uploads, in and out of order. */
export function uploadRequests(): fc.Arbitrary<FuzzRequest> {
  const optional = (name: string, texts: readonly string[]) =>
    fc.option(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...texts) }, { weight: 1, arbitrary: headerText() }),
      {
        nil: undefined,
        freq: 5,
      },
    ).map((text): Header[] => text === undefined ? [] : [[name, text]]);
  const headers = fc.tuple(
    optional("tus-resumable", ["1.0.0", "1.0.0", "0.2.2"]),
    optional("upload-length", LENGTHS),
    optional("upload-offset", LENGTHS),
    optional("upload-metadata", METADATA),
    optional("content-type", [
      "application/offset+octet-stream",
      "application/offset+octet-stream",
      "text/plain",
    ]),
  ).map((several) => several.flat());
  return fc.record({
    method: fc.constantFrom(...TUS_METHODS),
    id: fc.option(fc.nat(5), { nil: null }),
    caller: fc.constantFrom(...CALLERS, "member" as const, "member" as const),
    headers,
    body: fc.constantFrom(null, "", "abcde", "x".repeat(70), "x".repeat(2000)),
    isChunked: fc.boolean(),
  }).map(({ id, ...rest }) =>
    toRequest({ ...rest, target: `/api/v1/tus${id === null ? "" : `/${placeholder("upload", id)}`}` })
  );
}

const PAGES = [
  "/",
  "/docs",
  "/login",
  "/logout",
  "/setup",
  "/account",
  "/forgot-password",
  `/join/${placeholder("key", 0)}`,
  "/reset-password/x",
  "/account/confirm-email/x",
  "/admin",
  "/admin/activity",
  "/admin/activity/export",
  "/admin/audit",
  "/admin/users",
  "/admin/channels",
  "/admin/groups",
  "/admin/invitations",
  "/admin/linkifiers",
  "/admin/playgrounds",
  "/admin/organization/permissions",
  "/admin/links",
  "/admin/links/hosts",
  "/admin/stats",
  "/admin/stats/export",
  "/admin/stats/live",
  "/admin/events",
  "/admin/theme",
  `/admin/links/${placeholder("short", 0)}/qr`,
  `/admin/users/${placeholder("user", 3)}`,
  `/admin/channels/${placeholder("channel", 3)}`,
  `/admin/groups/${placeholder("group", 3)}`,
  `/${placeholder("file", 1)}`,
  `/user_uploads/${placeholder("realm", 0)}/${placeholder("file", 0)}`,
  `/user_uploads/thumbnail/${placeholder("realm", 0)}/${placeholder("file", 0)}/840x560.webp`,
  "/user_uploads/temporary/x/a.png",
  "/api/v1/calls/videoprovider/register",
  "/api/v1/calls/videoprovider/complete",
  "/calls/videoprovider/complete",
  "/calls/videoprovider/register",
  "/api/v1/nothing",
  "/api",
  "/static/x",
  "/favicon.ico",
  "/openapi.json",
];
const QUERY_NAMES = [
  "page",
  "q",
  "query",
  "sort",
  "role",
  "from",
  "to",
  "format",
  "next",
  "returnTo",
  "short",
  "visit",
  "token",
  "key",
  "code",
  "state",
  "api_key",
  "position",
  "type",
  "actor",
];

/** Returns pages and files with any query. */
export function pageRequests(): fc.Arbitrary<FuzzRequest> {
  const pair = fc.tuple(fc.constantFrom(...QUERY_NAMES), fc.oneof(hostileText(), fc.nat(3).map(String)));
  return fc.record({
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "OPTIONS"),
    path: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PAGES) }, {
      weight: 1,
      arbitrary: hostileText().map((text) => `/${escape(text)}`),
    }),
    caller: fc.constantFrom(...CALLERS, "owner_session" as const),
    query: fc.array(pair, { maxLength: 3 }),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant<Header[]>([["accept", "text/html"]]) }, {
      weight: 1,
      arbitrary: hostileHeaders(),
    }),
  }).map(({ path, query, ...rest }) => {
    const search = query.map(([name, text]) => `${name}=${escape(text)}`).join("&");
    return toRequest({ ...rest, target: search === "" ? path : `${path}?${search}` });
  });
}

const FRAMING: readonly Header[] = [
  ["content-length", "-1"],
  ["content-length", "1e3"],
  ["content-length", "5, 6"],
  ["content-length", "99999999999999999999"],
  ["transfer-encoding", "chunked, gzip"],
  ["transfer-encoding", "identity"],
  ["host", "a/b?c#d@e:99999"],
  ["host", ""],
  ["host", "[::"],
  ["bad name", "x"],
  ["x-long", "x".repeat(70_000)],
  ["", "x"],
  ["x-control", "a\0b"],
  ["x-folded", "a\r\n b"],
];

/** Returns requests that break the syntax of HTTP. */
export function malformedRequests(): fc.Arbitrary<FuzzRequest> {
  const framing = fc.constantFrom(...FRAMING);
  return fc.record({
    method: fc.oneof(fc.constantFrom("GET", "POST", "G T", "", "\udcff"), hostileText()),
    target: fc.oneof(
      fc.constantFrom("*", "/ a", "//", "http://elsewhere/stats", "/\t", "#", "/a#b", "/\\", "/?a b"),
      hostileText(),
      hugeText().map((text) => `/${text}`),
    ),
    headers: fc.array(fc.oneof(framing, fc.tuple(headerText(), hostileText())), { maxLength: 3 }),
    body: fc.option(hostileText(), { nil: null }),
    isChunked: fc.boolean(),
    isMalformed: fc.constant(true),
  }).map((parts) => toRequest(parts));
}

function headerText(): fc.Arbitrary<string> {
  return hostileText().map((text) => text.replaceAll(/[\0\r\n]/g, " ").trim());
}
