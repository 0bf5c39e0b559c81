import assert from "node:assert/strict";
import { App, createDefine } from "fresh";
import { client, withProject } from "@/tests/casts/fresh_project_cast.ts";

interface State {
  trail?: string[];
}

const define = createDefine<State>();

/** Returns a middleware that adds its name to the state. */
function mark(name: string) {
  return define.middleware((ctx) => {
    ctx.state.trail = [...ctx.state.trail ?? [], name];
    return ctx.next();
  });
}

const showTrail = define.middleware((ctx) => new Response((ctx.state.trail ?? []).join(",")));

/** Returns the source of a middleware file that adds a name to the state. */
function markFile(name: string): string {
  return `export const handler = (ctx) => {
    ctx.state.trail = [...ctx.state.trail ?? [], "${name}"];
    return ctx.next();
  };`;
}

const TRAIL_ROUTE = `export const handler = (ctx) => new Response((ctx.state.trail ?? []).join(","));`;

Deno.test("a route is affected only by middlewares registered before it", async () => {
  const app = new App<State>()
    .use(mark("A")).route("/p", { handler: showTrail })
    .use(mark("LATE")).route("/q", { handler: showTrail });
  const handler = app.handler();
  assert.equal(await (await handler(new Request("http://localhost/p"))).text(), "A");
  assert.equal(await (await handler(new Request("http://localhost/q"))).text(), "A,LATE");
});

Deno.test("middleware files run from the root to the leaf, including those of groups, arrays in order", async () => {
  const files = {
    "routes/_middleware.js": markFile("root"),
    "routes/(team)/_middleware.js": markFile("group"),
    "routes/(team)/area/_middleware.js":
      `const mark = (name) => (ctx) => { ctx.state.trail.push(name); return ctx.next(); };
      export const handler = [mark("area1"), mark("area2")];`,
    "routes/(team)/area/index.js": TRAIL_ROUTE,
    "routes/outside.js": TRAIL_ROUTE,
  };
  await withProject(files, async ({ text }) => {
    assert.equal(await text("/area"), "root,group,area1,area2");
    assert.equal(await text("/outside"), "root");
  });
});

Deno.test("an unmatched path runs only the root's middlewares", async () => {
  const files = {
    "routes/_middleware.js": `export const handler = async (ctx) => {
      try { return await ctx.next(); } catch (error) { return new Response(error.name + error.status); }
    };`,
    "routes/api/_middleware.js": `export const handler = () => new Response("api only");`,
    "routes/api/users.js": TRAIL_ROUTE,
  };
  await withProject(files, async ({ text }) => {
    assert.equal(await text("/api/users"), "api only");
    assert.equal(await text("/api/missing"), "HttpError404");
  });
});

Deno.test("a middleware may change the response of the next handler", async () => {
  const app = new App().use(async (ctx) => {
    const response = await ctx.next();
    response.headers.set("x-after", "yes");
    return response;
  }).route("/", { handler: () => new Response("hello") });
  const response = await client(app).get("/");
  assert.equal(response.headers.get("x-after"), "yes");
});

Deno.test("a handler that returns nothing is answered with 500", async () => {
  await withProject({ "routes/index.js": `export const handler = () => {};` }, async ({ get }) => {
    const response = await get("/");
    assert.equal(response.status, 500);
    assert.equal(await response.text(), "Internal server error");
  });
});

Deno.test("ctx.redirect() keeps a path on this site, however many slashes it starts with", async () => {
  const app = new App().route("/", { handler: (ctx) => ctx.redirect("//evil.com//x?a=//b") });
  const response = await client(app).get("/");
  assert.equal(response.status, 302);
  assert.equal(response.headers.get("location"), "/evil.com/x?a=//b");
});
