import assert from "node:assert/strict";
import { h } from "preact";
import { App, createDefine, page } from "fresh";
import { client, withProject } from "@/tests/casts/fresh_project_cast.ts";

const APP_FILE = `export default ({ Component }) =>
  <html><head><title>Site</title></head><body><Component /></body></html>;`;

/** Returns the source of a layout file that wraps its content in an element. */
function layoutFile(tag: string): string {
  return `export default ({ Component }) => <${tag}><Component /></${tag}>;`;
}

const PAGE_FILE = `export default () => <p>page</p>;`;

Deno.test("a page is rendered in its layouts, outermost first, and in the app wrapper", async () => {
  const files = {
    "routes/_app.jsx": APP_FILE,
    "routes/_layout.jsx": layoutFile("main"),
    "routes/area/_layout.jsx": layoutFile("section"),
    "routes/area/index.jsx": PAGE_FILE,
    "routes/index.jsx": PAGE_FILE,
  };
  await withProject(files, async ({ text }) => {
    assert.match(await text("/area"), /<body><main><section><p>page<\/p><\/section><\/main><\/body>/);
    assert.match(await text("/"), /<body><main><p>page<\/p><\/main><\/body>/);
  });
});

Deno.test("a handler passes data, status and headers to its page", async () => {
  const files = {
    "routes/index.jsx": `import { page } from "fresh";
      export const handler = () => page({ name: "<b>" }, { status: 201, headers: { "x-own": "1" } });
      export default ({ data }) => <p>{data.name}</p>;`,
  };
  await withProject(files, async ({ get }) => {
    const response = await get("/");
    assert.equal(response.status, 201);
    assert.equal(response.headers.get("x-own"), "1");
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(await response.text(), /<p>&lt;b>|<p>&lt;b&gt;/);
  });
});

Deno.test("a page finds undefined in place of null as its data", async () => {
  const files = {
    "routes/index.jsx": `import { page } from "fresh";
      export const handler = () => page(null);
      export default ({ data }) => <p>{String(data)}</p>;`,
  };
  await withProject(files, async ({ text }) => {
    assert.match(await text("/"), /<p>undefined<\/p>/);
  });
});

Deno.test("a handler that returns text is answered with an empty page", async () => {
  const files = {
    "routes/_app.jsx": APP_FILE,
    "routes/index.js": `export const handler = () => "text";`,
    "routes/number.jsx":
      `export const handler = () => 5; export default ({ data }) => <p>{String(data)}</p>;`,
  };
  await withProject(files, async ({ get, text }) => {
    const response = await get("/");
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<body><\/body>/);
    assert.match(await text("/number"), /<p>undefined<\/p>/);
  });
});

Deno.test("Head adds its children to the document's head, and replaces the title", async () => {
  const files = {
    "routes/_app.jsx": APP_FILE,
    "routes/index.jsx": `import { Head } from "fresh/runtime";
      export default () => <><Head><title>Page</title><meta name="robots" content="none" /></Head><p>x</p></>;`,
  };
  await withProject(files, async ({ text }) => {
    const html = await text("/");
    assert.match(html, /<head>.*<title>Page<\/title>.*<meta name="robots" content="none"\/?>.*<\/head>/);
    assert.doesNotMatch(html, /Site/);
  });
});

Deno.test("ctx.render() uses the layouts of the route it is called from", async () => {
  const files = {
    "routes/_layout.jsx": layoutFile("main"),
    "routes/index.jsx": `export const handler = (ctx) => ctx.render(<p>own</p>, { status: 202 });`,
  };
  await withProject(files, async ({ get }) => {
    const response = await get("/");
    assert.equal(response.status, 202);
    assert.match(await response.text(), /<main><p>own<\/p><\/main>/);
  });
});

Deno.test("define.page() infers the type of its data from the handler", async () => {
  const define = createDefine<unknown>();
  const handler = () => page({ count: 2 });
  const component = define.page<typeof handler>(({ data }) => String(data.count.toFixed(1)));
  const app = new App().route("/", {
    handler,
    component: (props) => h(component, { ...props, data: { count: 2 } }),
  });
  assert.match(await client(app).text("/"), /2\.0/);
});
