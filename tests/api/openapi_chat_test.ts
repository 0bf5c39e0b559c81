import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import {
  aliased,
  bool,
  choice,
  described,
  int,
  intList,
  json,
  optional,
  type Params,
  text,
  textOrJson,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { describeApi, listApiRoutes } from "@/lib/api/openapi.ts";
import { isApiEndpoint } from "@/lib/api/openapi_chat.ts";
import { listRouteFiles } from "@/lib/build/route_list.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { listFiles, ROOT } from "@/tests/helpers/sources.ts";

// deno-lint-ignore no-explicit-any
type Described = Record<string, any>;

const params = {
  title: described(text({ max: 60, min: 1 }), "What it is called."),
  size: withDefault(int(), 7),
  is_open: optional(bool()),
  color: choice(["red", "blue"]),
  members: described(withDefault(intList(), []), "Their ids."),
  policy: optional(textOrJson(z.string())),
  point: optional(json(z.object({ x: z.int() }).meta({ id: "Point" }))),
};
const success = z.object({ made: z.object({ x: z.int() }).meta({ id: "Point" }) });
const handler = methods({
  GET: apiEndpoint({ summary: "List", access: "public", params }, () => Promise.resolve()),
  POST: apiEndpoint({
    summary: "Make",
    description: "At once.",
    access: "human_admin",
    params,
    ids: ["folder_id"],
    success,
    refusals: [["BAD_REQUEST", 404]],
  }, () => Promise.resolve()),
  DELETE: apiEndpoint(
    { summary: "Remove", access: "owner", params: {}, ids: ["folder_id"] },
    () => Promise.resolve(),
  ),
});
const BASE = "http://localhost:8000";
const PATH = "/api/v1/channel_folders/{folder_id}/x/{name}";

async function described311(): Promise<Described> {
  const description: Described = await describeApi([{ path: PATH, handler }], { baseUrl: BASE });
  const { valid, errors } = await new Validator().validate(structuredClone(description));
  assert.deepEqual([valid, errors], [true, undefined]);
  return description;
}

Deno.test("describeApi() describes path parameters, callers and sections", async () => {
  const { paths, tags } = await described311();
  const { get, post } = paths[PATH];
  assert.deepEqual(post.parameters.map(({ name, schema }: Described) => [name, schema.type]), [
    ["folder_id", "integer"],
    ["name", "string"],
  ]);
  assert.equal(post.operationId, "postChannelFoldersByFolderIdXByName");
  assert.match(post.description, /^At once\.\n\nAdministrators and owners .* except bots/);
  assert.deepEqual([get.security, post.security], [[], [{ apiKey: [] }, { sessionCookie: [] }]]);
  assert.deepEqual(post.tags, ["Channels"]);
  assert.deepEqual(tags.map(({ name }: Described) => name), ["Channels"]);
});

Deno.test("describeApi() describes parameters as form fields, with JSON as text", async () => {
  const { paths, components } = await described311();
  const { required, content } = paths[PATH].post.requestBody;
  assert.deepEqual(Object.keys(content), ["application/x-www-form-urlencoded"]);
  const { schema } = content["application/x-www-form-urlencoded"];
  assert.deepEqual([required, schema.required], [true, ["title", "color"]]);
  const { title, size, members, policy, point } = schema.properties;
  assert.deepEqual([title.description, title.maxLength], ["What it is called.", 60]);
  assert.deepEqual([size.type, size.default], ["integer", 7]);
  const { contentSchema, ...text } = members;
  assert.deepEqual(text, {
    type: "string",
    contentMediaType: "application/json",
    default: "[]",
    description: "Their ids.",
  });
  assert.deepEqual([contentSchema.type, contentSchema.items.type], ["array", "integer"]);
  assert.deepEqual(policy, { type: "string" });
  assert.equal(point.contentSchema.$ref, "#/components/schemas/PointInput");
  assert.ok("Point" in components.schemas && "PointInput" in components.schemas);
  assert.equal("requestBody" in paths[PATH].delete, false);
});

Deno.test("describeApi() describes the parameters of GET as query parameters", async () => {
  const { paths } = await described311();
  const query = paths[PATH].get.parameters.filter((parameter: Described) => parameter.in === "query");
  const byName = (name: string) => query.find((parameter: Described) => parameter.name === name);
  assert.equal(query.length, Object.keys(params).length);
  assert.deepEqual([byName("title").required, byName("size").required], [true, false]);
  assert.equal(byName("title").description, "What it is called.");
  assert.deepEqual(byName("size").schema.default, 7);
  assert.equal(byName("members").schema.contentSchema.type, "array");
  assert.equal("content" in byName("members"), false);
});

Deno.test("describeApi() describes the older name of a parameter as deprecated, and requires neither", async () => {
  const named = { summary: "Add", access: "public", params: { topic: aliased(text(), "subject") } } as const;
  const renamed = methods({ POST: apiEndpoint(named, () => Promise.resolve()) });
  const { paths }: Described = await describeApi([{ path: PATH, handler: renamed }], { baseUrl: BASE });
  const { schema } = paths[PATH].post.requestBody.content["application/x-www-form-urlencoded"];
  assert.deepEqual(Object.keys(schema.properties), ["topic", "subject"]);
  assert.deepEqual([schema.properties.topic.deprecated, schema.properties.subject.deprecated], [
    undefined,
    true,
  ]);
  assert.equal(schema.required, undefined);
});

Deno.test("describeApi() lists an endpoint's successes and errors by status", async () => {
  const { paths, components } = await described311();
  const { get, post } = paths[PATH];
  assert.deepEqual(Object.keys(post.responses), [
    ...["200", "400", "401", "404", "408", "409", "413", "415", "429", "503"],
    "default",
  ]);
  assert.deepEqual(Object.keys(get.responses), ["200", "400", "429", "503", "default"]);
  const readRefusal = (status: number) => components.responses[post.responses[status].$ref.split("/").at(-1)];
  const listed = ["BAD_REQUEST", "REQUEST_VARIABLE_MISSING", "UNAUTHORIZED_PRINCIPAL"];
  assert.equal(
    readRefusal(400).description,
    `Bad Request: ${listed.map((code) => `\`${code}\``).join(", ")}`,
  );
  const [{ $ref }, { properties: { code } }] = readRefusal(400).content["application/json"].schema.allOf;
  assert.deepEqual([$ref, code.enum], ["#/components/schemas/ChatError", listed]);
  const inOtherStatus = readRefusal(404).content["application/json"].schema.allOf[1].properties.code.enum;
  assert.deepEqual(inOtherStatus, ["BAD_REQUEST", "NONEXISTENT_SUBDOMAIN", "NOT_FOUND"]);
  const { properties, required } = post.responses[200].content["application/json"].schema;
  assert.deepEqual(Object.keys(properties), ["result", "msg", "made", "ignored_parameters_unsupported"]);
  assert.deepEqual(required, ["result", "msg", "made"]);
});

Deno.test("describeApi() marks former paths as deprecated", async () => {
  const oldName = methods(handler.byMethod, { isOldName: true });
  const { paths }: Described = await describeApi([{ path: PATH, handler: oldName }], { baseUrl: BASE });
  assert.equal(paths[PATH].post.deprecated, true);
});

Deno.test("describeApi() refuses two different schemas with one name", async () => {
  const other = methods({
    GET: apiEndpoint({
      summary: "Read",
      access: "public",
      params: {},
      success: z.object({ at: z.object({ y: z.int() }).meta({ id: "Point" }) }),
    }, () => Promise.resolve({})),
  });
  const routes = [{ path: PATH, handler }, { path: "/api/v1/other", handler: other }];
  await assert.rejects(() => describeApi(routes, { baseUrl: BASE }), /Point/);
});

Deno.test("every operation in /openapi.json has a section, a summary and a unique id", async () => {
  await using app = await startTestApp();
  const description: Described = await (await app.request("/openapi.json")).json();
  const { valid, errors } = await new Validator().validate(structuredClone(description));
  assert.deepEqual([valid, errors], [true, undefined]);
  const paths: Record<string, Described> = description["paths"];
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ name: `${method} ${path}`, operation }))
  );
  for (const { name, operation } of operations) {
    assert.equal(operation.tags?.length, 1, `${name} has no chapter: openapi_tags.ts gives it one`);
    assert.ok(operation.summary, name);
  }
  const ids: string[] = operations.map(({ operation }) => operation.operationId);
  assert.deepEqual(ids.filter((id) => !/^(get|post|put|patch|delete)([A-Z0-9][a-z0-9]*)+$/.test(id)), []);
  assert.equal(new Set(ids.map((id) => id.toLowerCase())).size, ids.length);
});

/** Lists the schemas within a part of the description, except those of JSON in texts, with their paths. */
function listSchemas(part: unknown, path = ""): [path: string, schema: Described][] {
  if (typeof part !== "object" || part === null) return [];
  const within = Object.entries(part).filter(([name]) =>
    !["example", "default", "contentSchema"].includes(name)
  )
    .flatMap(([name, member]) => listSchemas(member, `${path}/${name}`));
  return [[path, part], ...within];
}

/** Constructs that generators of clients do not read, by name. */
const UNREADABLE: Readonly<Record<string, (schema: Described, path: string) => boolean>> = {
  "a tuple": (schema) => "prefixItems" in schema || schema["items"] === false,
  "only null": (schema, path) => schema["type"] === "null" && !/[/](anyOf|oneOf)[/]\d+$/.test(path),
  "a pattern beside a format": (schema) => "format" in schema && typeof schema["pattern"] === "string",
  "an integer of unknown size": ({ type, format }) => type === "integer" && format !== "int64",
  "names that are any text": ({ propertyNames }) =>
    propertyNames !== undefined && Object.keys(propertyNames).join() === "type",
  "several types": ({ type }) => Array.isArray(type) && type.filter((one) => one !== "null").length > 1,
  "a list, an object or null as the default": (schema, path) =>
    typeof schema["default"] === "object" && !path.endsWith("/responses"),
  "values of several types": (schema) =>
    Array.isArray(schema["enum"]) && new Set(schema["enum"].map((one) => typeof one)).size > 1,
};

Deno.test("/openapi.json contains only what generators of clients read", async () => {
  await using app = await startTestApp();
  const { paths, components }: Described = await (await app.request("/openapi.json")).json();
  const problems = listSchemas({ paths, components }).flatMap(([path, schema]) =>
    Object.entries(UNREADABLE).filter(([, isUnreadable]) => isUnreadable(schema, path))
      .map(([name]) => `${path}: ${name}`)
  );
  assert.deepEqual(problems, []);
  const operations = Object.values<Described>(paths).flatMap((byMethod) =>
    Object.values<Described>(byMethod)
  );
  for (const { operationId, parameters, requestBody } of operations) {
    assert.ok(parameters.every((parameter: Described) => "schema" in parameter), operationId);
    assert.ok(Object.keys(requestBody?.content ?? {}).length <= 1, operationId);
  }
  // A generated client for Go creates each model by a function with this prefix.
  const names = Object.keys(components.schemas);
  assert.deepEqual(names.filter((name) => names.includes(`New${name}`)), []);
});

Deno.test("/openapi.json describes every route with endpoints, in the order of the paths", async () => {
  await using app = await startTestApp();
  const { paths }: Described = await (await app.request("/openapi.json")).json();
  const described = Object.keys(paths);
  assert.deepEqual(described, described.toSorted());
  const pathOf = new Map((await listRouteFiles()).map(({ path, file }) => [`routes/${file}`, path]));
  const missing = listFiles("routes").filter((file) =>
    /\b(api)?endpoint\(/i.test(Deno.readTextFileSync(ROOT + file)) &&
    !described.includes(pathOf.get(file) ?? "")
  );
  assert.deepEqual(missing, []);
});

Deno.test("/openapi.json marks exactly the paths for older clients as deprecated", async () => {
  await using app = await startTestApp();
  const { paths }: Described = await (await app.request("/openapi.json")).json();
  const isDeprecated = (path: string) =>
    Object.values<Described>(paths[path]).some((operation) => operation.deprecated);
  assert.deepEqual(Object.keys(paths).filter(isDeprecated), [
    "/api/v1/mobile_push/test_notification",
    "/api/v1/settings/display",
    "/api/v1/settings/notifications",
  ]);
});

Deno.test("every path in /openapi.json accepts exactly the described methods", async () => {
  await using app = await startTestApp();
  for (const { path, handler } of await listApiRoutes(app.services)) {
    const response = await app.request(path.replaceAll(/\{\w+\}/g, "1"), { method: "OPTIONS" });
    const allowed = response.headers.get("allow")?.split(", ") ?? [];
    assert.deepEqual([
      response.status,
      Object.keys(handler.byMethod).filter((name) => !allowed.includes(name)),
    ], [
      204,
      [],
    ], path);
  }
});

Deno.test("responses of parameterless GET endpoints match /openapi.json", async () => {
  await using chat = await startChat();
  for (const { path, handler } of await listApiRoutes(chat.services)) {
    const { GET } = handler.byMethod;
    if (!isApiEndpoint(GET) || path.includes("{")) continue;
    // Messages need an anchor or ids, one of them.
    if (hasRequired(GET.apiSpec.params) || path === "/api/v1/messages") continue;
    const caller = GET.apiSpec.access === "bot" ? chat.bot : chat.owner;
    const { result, msg, ...fields } = (await chat.call(caller, `GET ${path.replace("/api/v1", "")}`)).body;
    assert.deepEqual([result, msg], ["success", ""], path);
    const schema = GET.apiSpec.success ?? z.object({});
    assert.deepEqual(schema.strict().parse(fields), fields, path);
  }
});

function hasRequired(all: Params): boolean {
  return Object.values(all).some(({ fallback }) => fallback === undefined);
}

Deno.test("/openapi.json accepts a session in place of an API key, except where the key itself is needed", async () => {
  for (
    const [baseUrl, name] of [["http://localhost:8000", "sotto_session"], [
      "https://chat.example",
      "__Host-sotto_session",
    ]]
  ) {
    await using app = await startTestApp({ env: { BASE_URL: baseUrl ?? "" } });
    const { paths, components }: Described = await (await app.request("/openapi.json")).json();
    const { sessionCookie } = components.securitySchemes;
    assert.deepEqual([sessionCookie.type, sessionCookie.in, sessionCookie.name], ["apiKey", "cookie", name]);
    const takesSession = (operation: Described) =>
      operation.security.some((schemes: object) => "sessionCookie" in schemes);
    assert.equal(takesSession(paths["/api/v1/users/me"].get), true);
    assert.equal(takesSession(paths["/api/v1/messages"].get), true);
    assert.equal(takesSession(paths["/api/v1/users/me/api_key/regenerate"].post), false);
    assert.equal(takesSession(paths["/api/v1/bot_storage"].get), false);
    assert.deepEqual(paths["/api/v1/remotes/push/e2ee/notify"].post.security, [{ serverKey: [] }]);
  }
});

Deno.test("a session is accepted by the operations of which /openapi.json says so", async () => {
  await using chat = await startChat();
  const cookie = `sotto_session=${(await signIn(chat, chat.owner)).token()}`;
  const { paths }: Described = await (await chat.request("/openapi.json")).json();
  const problems: string[] = [];
  for (const [path, methods] of Object.entries<Described>(paths)) {
    for (const [method, { security }] of Object.entries<Described>(methods)) {
      const accepted = security.flatMap(Object.keys);
      if (!accepted.includes("apiKey")) continue;
      const headers = { cookie, "sec-fetch-site": "same-origin" };
      const init = { method: method.toUpperCase(), headers };
      const { status, body } = await chat.request(path.replaceAll(/\{\w+\}/g, "0"), init);
      await body?.cancel();
      const isForAccounts = !accepted.includes("webhookKey") && path !== "/api/v1/bot_storage";
      if (isForAccounts && (status === 401) === accepted.includes("sessionCookie")) {
        problems.push(`${init.method} ${path}: ${status}`);
      }
    }
  }
  assert.deepEqual(problems, []);
});
