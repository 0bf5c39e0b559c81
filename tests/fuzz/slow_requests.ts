import type { ExampleCast } from "@/tests/casts/api_examples/cast.ts";
import { listOperationExamples } from "@/tests/casts/api_examples/list_examples.ts";
import { TUS } from "@/tests/casts/write_cast.ts";
import { listAccountForms, listAdminForms } from "@/tests/casts/write_examples_pages.ts";
import type { ApiDescription, WalkedOperation, WalkedParam } from "@/tests/helpers/api_walk.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { SLOW_BODIES, SLOW_KINDS, type SlowKind } from "./slow_values.ts";

/** A valid request, of which one input at a time is replaced. */
export interface ValidRequest {
  readonly title: string;
  readonly method: string;
  /** Path; variables that are inputs are in braces. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: "urlencoded" | "multipart" | "json" | "none";
  /** Usual values of inputs, as texts. */
  readonly values: ReadonlyMap<string, string>;
  readonly inputs: readonly Input[];
}

/** A parameter, a header or the whole body of a request. */
export type Input = Pick<WalkedParam, "name" | "isJson" | "schema"> & {
  readonly in: WalkedParam["in"] | "header" | "body";
  /** Start of a header's value that stays. */
  readonly prefix?: string;
};

/** A request as it is sent. */
export interface SlowRequest {
  readonly path: string;
  readonly init: RequestInit;
}

/** Longest path with its query that the HTTP library accepts, and longest header that is tried. */
const MAX_HEAD = 60_000;
const BOUNDARY = "slowboundary";

/** Headers that are read, with the start of their values. */
const HEADERS: readonly (readonly [name: string, prefix: string])[] = [
  ["accept", ""],
  ["accept", "text/html;"],
  ["accept-encoding", ""],
  ["accept-language", ""],
  ["accept-language", "de;q="],
  ["authorization", ""],
  ["authorization", "Basic "],
  ["authorization", "Bearer "],
  ["content-encoding", ""],
  ["content-type", ""],
  ["content-type", "application/json"],
  ["content-type", "application/json;charset="],
  ["content-type", "application/x-www-form-urlencoded"],
  ["content-type", "multipart/form-data;"],
  ["content-type", "multipart/form-data; boundary="],
  ["cookie", ""],
  ["cookie", "sotto_session="],
  ["if-modified-since", ""],
  ["if-none-match", ""],
  ["origin", "https://"],
  ["range", ""],
  ["range", "bytes="],
  ["referer", "https://"],
  ["sec-fetch-site", ""],
  ["user-agent", ""],
  ["x-request-id", ""],
  ["upload-metadata", ""],
  ["upload-metadata", "filename "],
  ["upload-length", ""],
  ["upload-offset", ""],
  ["tus-resumable", ""],
];
/** Requests of each protocol, which read different headers. */
const HAS_HEADERS =
  /^(GET|POST|PATCH) (\/api\/v1\/(users|messages|tus|tus\/\{upload_id\}|fetch_api_key|external\/json)|\/|\/links|\/login|\/\{short\}|.*\/user_uploads.*|\/admin\/users\/new create)$/;
/** Query parameters of pages that no link or form of theirs has. */
const PAGE_QUERIES = ["next", "notice", "done", "short", "token", "return"];
const PAGES = ["/", "/login", "/forgot-password", "/setup", "/account"];

/** Lists the requests of every operation, of uploads, of every form of the pages, and of pages themselves. */
export async function listValidRequests(
  cast: ExampleCast,
  description: ApiDescription,
): Promise<readonly ValidRequest[]> {
  const examples = new Map(listOperationExamples(cast).map((example) => [example.operation, example]));
  const operations = description.operations.map((operation) => {
    const example = examples.get(`${operation.method} ${operation.path}`);
    return toValidRequest(operation, example?.values ?? {}, example?.authorization ?? null);
  });
  const requests = [...operations, ...listUploads(cast), ...await recordForms(cast)];
  return requests.map((request) => {
    const inputs = [
      ...request.inputs,
      ...(request.encoding === "urlencoded" ? [toTextInput("body", "")] : []),
      ...(HAS_HEADERS.test(request.title)
        ? HEADERS.map(([name, prefix]) => ({ ...toTextInput("header", name), prefix }))
        : []),
    ];
    return { ...request, inputs };
  });
}

function toValidRequest(
  { method, path, params, takesFile }: WalkedOperation,
  values: Readonly<Record<string, unknown>>,
  authorization: string | null,
): ValidRequest {
  const takesJson = !path.startsWith("/api/") || path === "/api/v1/external/json";
  const hasForm = params.some((param) => param.in === "form");
  const texts = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (value instanceof Blob) return [];
    const param = params.find((one) => one.name === name);
    const isText = typeof value === "string" && param?.isJson !== true &&
      !(takesJson && param?.in === "form");
    return [[name, isText ? value : JSON.stringify(value)]];
  });
  return {
    title: `${method} ${path}`,
    method,
    path,
    headers: authorization === null ? {} : { authorization },
    encoding: takesFile ? "multipart" : !hasForm ? "none" : takesJson ? "json" : "urlencoded",
    values: new Map(texts),
    inputs: [
      ...params.map((param) => takesJson && param.in === "form" ? { ...param, isJson: true } : param),
      ...(takesFile ? [toTextInput("form", "file")] : []),
    ],
  };
}

function listUploads({ member, tus }: ExampleCast): ValidRequest[] {
  const headers = { ...TUS, authorization: basic(member.email, member.apiKey), "upload-length": "5" };
  const one = { encoding: "none", values: new Map<string, string>(), inputs: [], headers } as const;
  return [
    { ...one, title: "POST /api/v1/tus", method: "POST", path: "/api/v1/tus" },
    { ...one, title: "PATCH /api/v1/tus/{upload_id}", method: "PATCH", path: tus },
  ];
}

/** Records the forms that the examples send, and the pages that they come from. */
async function recordForms(cast: ExampleCast): Promise<ValidRequest[]> {
  const forms: ValidRequest[] = [];
  const pages = new Map<string, ValidRequest>();
  const request: ExampleCast["request"] = async (path, init = {}) => {
    if (init.method === "POST") {
      forms.push(toForm(path, init));
      return new Response();
    }
    const response = await cast.request(path, init);
    pages.set(path, toPage(path, init, await response.clone().text()));
    return response;
  };
  const recorded = { ...cast, request };
  const headers = { accept: "text/html", "sec-fetch-site": "same-origin" };
  for (const path of [...PAGES, cast.links.join, cast.links.reset]) await request(path, { headers });
  const setup = { token: "x", email: "new@example.com", full_name: "New", password: "violet kettle seldom" };
  await request("/setup", { method: "POST", headers, body: new URLSearchParams(setup) });
  for (const example of listAccountForms(recorded)) await example.send();
  for (const example of await listAdminForms(recorded)) await example.send();
  return [...forms, ...pages.values()];
}

function toForm(path: string, { headers, body }: RequestInit): ValidRequest {
  const isMultipart = body instanceof FormData;
  const fields = isMultipart || body instanceof URLSearchParams ? [...body] : [];
  const values = new Map(fields.map(([name, value]) => [name, typeof value === "string" ? value : ""]));
  return {
    title: `POST ${path} ${values.get("action") ?? ""}`.trim(),
    method: "POST",
    path,
    headers: withoutType(headers),
    encoding: isMultipart ? "multipart" : "urlencoded",
    values,
    inputs: [...values.keys()].map((name) => toTextInput("form", name)),
  };
}

/** Query parameters of a page are those of its links and of its forms. */
function toPage(path: string, { headers }: RequestInit, html: string): ValidRequest {
  const linked = [...html.matchAll(/href="[^"]*\?([^"#]*)"/g)].flatMap(([, query = ""]) => [
    ...new URLSearchParams(query.replaceAll("&amp;", "&")).keys(),
  ]);
  const forms = [...html.matchAll(/<form\b(?![^>]*post)[^>]*>([\s\S]*?)<\/form>/g)];
  const asked = forms.flatMap(([, form = ""]) =>
    [...form.matchAll(/name="([^"]+)"/g)].map(([, name = ""]) => name)
  );
  return {
    title: `GET ${path}`,
    method: "GET",
    path,
    headers: withoutType(headers),
    encoding: "none",
    values: new Map(),
    inputs: [...new Set([...linked, ...asked, ...PAGE_QUERIES])].map((name) => toTextInput("query", name)),
  };
}

function withoutType(headers: HeadersInit = {}): Readonly<Record<string, string>> {
  const kept = new Headers(headers);
  kept.delete("content-type");
  return Object.fromEntries(kept);
}

function toTextInput(place: Input["in"], name: string): Input {
  return { name, in: place, isJson: false, schema: {} };
}

/** Returns a text that inputs share if they are likely to be read by the same code. */
export function toClass({ path }: ValidRequest, { name, in: place, prefix, schema }: Input): string {
  if (place === "header") return `header ${name}: ${prefix}`;
  if (place === "body") return `body of ${path.split("/", 3).join("/").replace(/^\/(?!admin|api).*/, "")}`;
  return `${place} ${name.replaceAll(/\d+/g, "0")} ${JSON.stringify(schema)}`;
}

/** Lists the kinds of texts that an input takes. */
export function listKinds({ in: place }: Input): readonly SlowKind[] {
  return place === "body" ? SLOW_BODIES : SLOW_KINDS;
}

/** Lists the sizes of texts that an input takes: small ones, and the largest that its reader admits. */
export function listSizes({ path }: ValidRequest, { in: place }: Input): readonly number[] {
  const isHead = place === "header" || place === "path" || place === "query";
  const isShort = isHead || !/^\/(api|admin)\//.test(path);
  return [4000, MAX_HEAD, ...(isShort ? [] : [1_040_000])];
}

/** Stands for a text in the values of a schema. */
const LEAF = "slow text";

/** Lists ways to create a text for an input: as such, in each part of its schema, and as many short elements. */
export function listTexts(
  { isJson, schema }: Input,
  kind: SlowKind,
  size: number,
  description: ApiDescription,
): readonly (() => string)[] {
  const create = () => kind.create(size);
  if (kind.isRaw) return [create];
  const repeat = (item: string) => Array.from({ length: Math.ceil(size / (item.length + 1)) }, () => item);
  const short = kind.create(240);
  if (!isJson) return [create, () => repeat(short).join("\n"), () => repeat(short).join()];
  const fill = (value: unknown, text: string) =>
    JSON.stringify(value).replaceAll(JSON.stringify(LEAF), () => JSON.stringify(text));
  const values = [LEAF, ...description.variants(schema, { text: LEAF, integer: 1 })];
  return values.flatMap((value) => [
    () => fill(value, create()),
    ...(Array.isArray(value) ? [() => `[${repeat(fill(value[0], short)).join()}]`] : []),
  ]);
}

/** Builds a request with a text in place of one input. */
export function buildSlowRequest(
  { method, path, headers, encoding, values, inputs }: ValidRequest,
  input: Input,
  text: string,
): SlowRequest {
  const all = new Map(values).set(input.name, text);
  const placeOf = (name: string) =>
    name === input.name ? input.in : inputs.find((one) => one.name === name)?.in;
  const of = (place: Input["in"]) => [...all].filter(([name]) => placeOf(name) === place);
  const query = of("query").map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  const filled = of("path").reduce(
    (target, [name, value]) => target.replace(`{${name}}`, () => encodePath(name, value)),
    path,
  );
  const target = query.length === 0
    ? filled
    : `${filled}${filled.includes("?") ? "&" : "?"}${query.join("&")}`;
  const sent = new Headers(headers);
  const body = input.in === "body" ? toUrlencoded(text, sent) : toBody(of("form"), encoding, sent);
  if (input.in === "header") sent.set(input.name, toHeader(input.prefix + text));
  const init = { method, headers: sent, body: method === "GET" ? null : body };
  return { path: target.slice(0, MAX_HEAD).replace(/%.?$/, ""), init };
}

type Body = Uint8Array<ArrayBuffer>;

/** Writes fields as a body and sets its type; characters are escaped only where they have a meaning. */
function toBody(
  form: readonly (readonly [string, string])[],
  encoding: ValidRequest["encoding"],
  headers: Headers,
): Body | null {
  if (form.length === 0) return null;
  if (encoding === "json") {
    headers.set("content-type", "application/json");
    return encode(`{${form.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
  }
  if (encoding === "multipart") {
    headers.set("content-type", `multipart/form-data; boundary=${BOUNDARY}`);
    const parts = form.map(([name, value]) => {
      const file = /file|picture|avatar/.test(name) ? '; filename="a.png"\r\nContent-Type: image/png' : "";
      return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    });
    return encode(`${parts.join("")}--${BOUNDARY}--\r\n`);
  }
  const escape = (value: string) => value.replaceAll(/[%&+]/g, encodeURIComponent);
  return toUrlencoded(
    form.map(([name, value]) => `${encodeURIComponent(name)}=${escape(value)}`).join("&"),
    headers,
  );
}

function toUrlencoded(text: string, headers: Headers): Body {
  headers.set("content-type", "application/x-www-form-urlencoded");
  return encode(text);
}

function encode(text: string): Body {
  return new TextEncoder().encode(text);
}

function encodePath(name: string, value: string): string {
  const text = value.toWellFormed().slice(0, MAX_HEAD);
  return name === "path" ? text.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(text);
}

/** Replaces what no header can hold. */
function toHeader(text: string): string {
  return text.slice(0, MAX_HEAD).replaceAll(/[^\x20-\x7e\x80-\xff]/g, "\xe9");
}
