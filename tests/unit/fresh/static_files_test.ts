import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { withBuild, withProject } from "@/tests/casts/fresh_project_cast.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg"/>`;

Deno.test("a static file is sent with its type and a weak ETag of its SHA-256, and is not stored", async () => {
  await withBuild({ "static/dot.svg": SVG }, async ({ get }) => {
    const response = await get("/dot.svg");
    assert.equal(await response.text(), SVG);
    assert.equal(response.headers.get("content-type"), "image/svg+xml");
    const hash = createHash("sha256").update(SVG).digest("hex");
    assert.equal(response.headers.get("etag"), `W/"${hash}"`);
    assert.match(response.headers.get("cache-control") ?? "", /no-store/);
  });
});

Deno.test("a request with the ETag is answered with 304, which does not repeat it", async () => {
  await withBuild({ "static/dot.svg": SVG }, async ({ get }) => {
    const etag = (await get("/dot.svg")).headers.get("etag") ?? "";
    const response = await get("/dot.svg", { headers: { "If-None-Match": etag } });
    assert.equal(response.status, 304);
    assert.equal(response.headers.get("etag"), null);
    assert.equal(await response.text(), "");
  });
});

Deno.test("a file requested with the build's key is immutable", async () => {
  await withBuild({ "static/dot.svg": SVG }, async ({ get, builder }) => {
    const response = await get(`/dot.svg?__frsh_c=${builder.config.buildId}`);
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
  });
});

Deno.test("a key of another build is redirected to the clean URL", async () => {
  await withBuild({ "static/dot.svg": SVG }, async ({ get }) => {
    const response = await get("/dot.svg?a=1&__frsh_c=old");
    assert.equal(response.status, 307);
    assert.equal(response.headers.get("location"), "/dot.svg?a=1");
  });
});

Deno.test("static files answer GET and HEAD, and any other method with 405", async () => {
  await withBuild({ "static/dot.svg": SVG }, async ({ get }) => {
    const head = await get("/dot.svg", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    assert.equal((await get("/dot.svg", { method: "POST" })).status, 405);
  });
});

Deno.test("a missing favicon.ico is an empty 404, other missing files are passed to the routes", async () => {
  const files = { "routes/[name].js": `export const handler = (ctx) => new Response(ctx.params.name);` };
  await withBuild(files, async ({ get, text }) => {
    const favicon = await get("/favicon.ico");
    assert.equal(favicon.status, 404);
    assert.equal(await favicon.text(), "");
    assert.equal(await text("/other.ico"), "other.ico");
  });
});

Deno.test("hidden files are not served, except those of .well-known", async () => {
  const files = { "static/.env": "secret", "static/.well-known/security.txt": "contact" };
  await withBuild(files, async ({ get, text }) => {
    assert.equal((await get("/.env")).status, 404);
    assert.equal(await text("/.well-known/security.txt"), "contact");
  });
});

Deno.test("images and asset() include the build's key, foreign URLs do not", async () => {
  const files = {
    "routes/index.jsx": `import { asset } from "fresh/runtime";
      export default () => <>
        <img src="/dot.svg" />
        <img src="https://example.com/x.svg" />
        <a href={asset("/dot.svg#part")}>x</a>
      </>;`,
  };
  await withProject(files, async ({ text, builder }) => {
    const html = await text("/");
    const key = `__frsh_c=${builder.config.buildId}`;
    assert.ok(html.includes(`src="/dot.svg?${key}"`), html);
    assert.ok(html.includes(`src="https://example.com/x.svg"`), html);
    assert.ok(html.includes(`href="/dot.svg?${key}#part"`), html);
  });
});

Deno.test("a transformed static file is served in its transformed form", async () => {
  await withBuild(
    { "static/style.css": "a{}", "static/other.css": "a{}" },
    async ({ text }) => {
      assert.equal(await text("/style.css"), "/* changed */a{}");
      assert.equal(await text("/other.css"), "a{}");
    },
    (builder) =>
      builder.onTransformStaticFile(
        { pluginName: "test", filter: /style\.css$/ },
        ({ text }) => ({ content: `/* changed */${text}` }),
      ),
  );
});

Deno.test("a build on disk creates a server with the routes, the islands and the files", async () => {
  const files = {
    "routes/index.jsx": `import Box from "../islands/Box.jsx"; export default () => <Box size={1} />;`,
    "islands/Box.jsx": `export default ({ size }) => <b>{size}</b>;`,
    "static/style.css": `a { background: url(/dot.svg) }`,
    "static/dot.svg": SVG,
  };
  await withBuild(files, async ({ builder, get }) => {
    const { buildId } = builder.config;
    assert.match(await (await get("/")).text(), /<b>1<\/b>/);
    assert.equal(await (await get("/dot.svg")).text(), SVG);
    assert.ok((await (await get("/style.css")).text()).includes(`url("/dot.svg?__frsh_c=${buildId}")`));
    const script = await get(`/_fresh/js/${buildId}/Box.js`);
    assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(script.headers.get("content-type"), "text/javascript; charset=UTF-8");
    await script.body?.cancel();
  });
});
