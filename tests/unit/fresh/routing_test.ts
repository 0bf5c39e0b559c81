import assert from "node:assert/strict";
import { App, type Context } from "fresh";
import { client, withProject } from "@/tests/casts/fresh_project_cast.ts";

/** Returns the source of a route file that responds with its own name and its parameters. */
function echo(name: string): string {
  return `export const handler = (ctx) =>
    Response.json({ name: ${
    JSON.stringify(name)
  }, params: ctx.params, route: ctx.route, path: ctx.url.pathname });`;
}

function echoes(...paths: string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, echo(path.replace("routes/", ""))]));
}

Deno.test("routes match in the order: static names, parameters, rest parameters", async () => {
  const files = echoes("routes/[...rest].js", "routes/[id].js", "routes/index.js", "routes/about.js");
  await withProject(files, async ({ get }) => {
    const nameOf = async (path: string) => (await (await get(path)).json()).name;
    assert.equal(await nameOf("/"), "index.js");
    assert.equal(await nameOf("/about"), "about.js");
    assert.equal(await nameOf("/other"), "[id].js");
    assert.equal(await nameOf("/a/b"), "[...rest].js");
  });
});

Deno.test("parameters are decoded with decodeURI, so an encoded slash stays encoded", async () => {
  await withProject(echoes("routes/enc/[value].js"), async ({ get }) => {
    const { params, route } = await (await get("/enc/a%2Fb%20c")).json();
    assert.deepEqual(params, { value: "a%2Fb c" });
    assert.equal(route, "/enc/:value");
  });
});

Deno.test("a rest parameter contains all parts of the path, or none", async () => {
  await withProject(echoes("routes/docs/[...path].js"), async ({ get }) => {
    assert.deepEqual((await (await get("/docs/a/b/c")).json()).params, { path: "a/b/c" });
    assert.deepEqual((await (await get("/docs")).json()).params, { path: "" });
  });
});

Deno.test("doubled slashes are collapsed in ctx.url, and a trailing slash is ignored", async () => {
  await withProject(echoes("routes/about.js", "routes/a/b.js"), async ({ get }) => {
    assert.equal((await get("/about/")).status, 200);
    assert.equal((await (await get("/a//b")).json()).path, "/a/b");
  });
});

Deno.test("groups do not appear in the URL, and files in private folders and tests are not routes", async () => {
  const files = echoes(
    "routes/(marketing)/pricing.js",
    "routes/(_components)/Button.js",
    "routes/pricing_test.js",
  );
  await withProject(files, async ({ get }) => {
    assert.equal((await get("/pricing")).status, 200);
    assert.equal((await get("/Button")).status, 404);
    assert.equal((await get("/pricing_test")).status, 404);
  });
});

Deno.test("the first registration of a method and pattern wins", async () => {
  const makeApp = () => new App().fsRoutes().route("/form", { handler: () => new Response("later") });
  const files = { "routes/form.js": `export const handler = () => new Response("file");` };
  await withProject(files, async ({ text }) => {
    assert.equal(await text("/form"), "file");
  }, makeApp);
});

Deno.test("HEAD is answered by GET without the body", async () => {
  const { get } = client(
    new App().route("/", { handler: () => new Response("hello", { headers: { "x-kept": "yes" } }) }),
  );
  const response = await get("/", { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("x-kept"), "yes");
  assert.equal(await response.text(), "");
});

Deno.test("a trailing slash is ignored only in paths without parameters", async () => {
  await withProject(echoes("routes/users/index.js", "routes/users/[id].js"), async ({ get }) => {
    assert.equal((await get("/users/")).status, 200);
    assert.equal((await get("/users/7")).status, 200);
    assert.equal((await get("/users/7/")).status, 404);
  });
});

Deno.test("a malformed path makes the handler throw URIError", async () => {
  const { get } = client(new App().route("/:name", { handler: () => new Response("hello") }));
  await assert.rejects(() => get("/%ff"), URIError);
});

Deno.test("the path of the route is that of ctx.url, however the URL is written", async () => {
  const route = {
    handler: ({ params, url }: Context<unknown>) =>
      Response.json({ routed: params.rest ?? "", url: url.href }),
  };
  const handler = new App().route("/", route).route("/:rest*", route).handler();
  const paths = [
    "/",
    "/a.b/c%20d",
    "/a//b",
    "/a/./b",
    "/a/../b",
    "/a/%2E%2e/b",
    "/.a",
    "/a?b=/../c",
    "/ü",
    "/a\\b",
  ];
  const hosts = ["host", "HOST:80", "host:8000", "[::1]:8000", "a?b", "a#b", "a\\b.c", "user@host"];
  const cases = hosts.flatMap((host) => paths.map((path) => `http://${host}${path}`));
  // Twice, because a valid host may be remembered.
  for (const url of [...cases, ...cases]) {
    // A server's request has the URL that the client sent, and not one that was parsed.
    const request = Object.defineProperty(new Request("http://host/"), "url", { value: url });
    const expected = new URL(url);
    if (expected.pathname.includes("//")) expected.pathname = expected.pathname.replaceAll(/\/+/g, "/");
    const response = await handler(request);
    if (/.\/$/.test(expected.pathname)) {
      assert.equal(response.status, 404, url);
      continue;
    }
    const { routed, url: href } = await response.json();
    assert.deepEqual([href, "/" + routed], [expected.href, decodeURI(expected.pathname)], url);
  }
});

Deno.test("a request whose host is not valid fails, also after valid ones", async () => {
  const handler = new App().route("/:rest*", { handler: (ctx) => new Response(ctx.url.href) }).handler();
  for (const host of ["host", "a b", "host:99999", "1.2.3.4.5", "[", "host"]) {
    const url = `http://${host}/path`;
    const request = Object.defineProperty(new Request("http://host/"), "url", { value: url });
    if (URL.canParse(url)) assert.equal((await handler(request)).status, 200);
    else await assert.rejects(handler(request), TypeError, url);
  }
});
