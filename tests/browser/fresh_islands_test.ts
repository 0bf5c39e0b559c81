import assert from "node:assert/strict";
import { App, csp, staticFiles } from "fresh";
import type { Browser, Page } from "playwright-core";
import { withProject } from "../casts/fresh_project_cast.ts";
import { chromiumTest, STEP_MS } from "./helpers.ts";

/** A browser page that shows a project's app. */
interface OpenedProject {
  page: Page;
  /** Paths of all scripts that the page requested. */
  scripts: string[];
  /** Errors and warnings of the page. */
  problems: string[];
}

/** Serves a project and opens its first page. */
function projectTest(
  name: string,
  files: Record<string, string>,
  check: (opened: OpenedProject) => Promise<void>,
): void {
  chromiumTest(name, async (browser) => {
    await withProject(files, async ({ app }) => {
      const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.handler());
      try {
        await check(await open(browser, `http://127.0.0.1:${server.addr.port}`));
      } finally {
        await Promise.all(browser.contexts().map((context) => context.close()));
        await server.shutdown();
      }
    }, strictApp);
  });
}

/** Creates an app that allows inline scripts by nonce only. */
function strictApp(): App<unknown> {
  return new App().use(csp({ useNonce: true })).use(staticFiles()).fsRoutes();
}

/** Opens an address; the page's islands have started when it is loaded. */
async function open(browser: Browser, url: string): Promise<OpenedProject> {
  const page = await browser.newPage();
  page.setDefaultTimeout(STEP_MS);
  const scripts: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    const isFavicon = message.location().url.endsWith("/favicon.ico");
    if (["error", "warning"].includes(message.type()) && !isFavicon) problems.push(message.text());
  });
  await page.goto(url);
  return { page, scripts, problems };
}

/** Returns the markup of the page's main part once its islands have started, without comments. */
async function markup(page: Page): Promise<string> {
  await page.waitForSelector("main .browser");
  return (await page.innerHTML("main")).replaceAll(/<!--[^>]*-->/g, "");
}

projectTest("a page without islands requests no script", {
  "islands/Unused.jsx": `export default () => <b>unused</b>;`,
  "routes/index.jsx": `export default () => <p>plain</p>;`,
}, async ({ page, scripts }) => {
  assert.equal(await page.textContent("p"), "plain");
  assert.deepEqual(scripts, []);
});

projectTest("named exports of one file are islands, whatever the file's name", {
  "islands/delete.jsx": `import { useSignal } from "@preact/signals";
    const Counter = ({ id }) => { const n = useSignal(0); return <button id={id} onClick={() => n.value++}>{n}</button>; };
    export const One = () => <Counter id="one" />;
    export const Two = () => <Counter id="two" />;`,
  "routes/index.jsx": `import { One, Two } from "../islands/delete.jsx";
    export default () => <p><One /><Two /></p>;`,
}, async ({ page, problems }) => {
  await page.click("#one");
  await page.click("#two");
  await page.click("#two");
  assert.equal(await page.textContent("#one"), "1");
  assert.equal(await page.textContent("#two"), "2");
  assert.deepEqual(problems, []);
});

projectTest("the browser's rendering takes over the server's nodes of the same kind", {
  "islands/Where.jsx": `const IS_BROWSER = typeof document !== "undefined";
    export default () => <b id="here" class={IS_BROWSER ? "browser" : "server"}>{IS_BROWSER ? "new" : <i>old</i>}</b>;`,
  "routes/index.jsx": `import Where from "../islands/Where.jsx";
    export default () => <main><Where /></main>;`,
}, async ({ page, problems }) => {
  assert.equal(await markup(page), `<b id="here" class="browser">new</b>`);
  assert.deepEqual(problems, []);
});

projectTest("a node of the server that the browser does not render stays after the island's own nodes", {
  "islands/Where.jsx": `const IS_BROWSER = typeof document !== "undefined";
    export default () => IS_BROWSER ? <b id="here" class="browser">browser</b> : <i id="here">server</i>;`,
  "routes/index.jsx": `import Where from "../islands/Where.jsx";
    export default () => <main><Where /></main>;`,
}, async ({ page, problems }) => {
  assert.equal(await markup(page), `<b id="here" class="browser">browser</b><i id="here">server</i>`);
  assert.deepEqual(problems, []);
});

projectTest("props arrive in the browser as they are", {
  "islands/Report.jsx": `export default (props) =>
    <main><b class={typeof document === "undefined" ? "" : "browser"}>{JSON.stringify(props)}</b></main>;`,
  "routes/index.jsx": `import Report from "../islands/Report.jsx";
    export default () => <Report text="</script>" yes={true} number={1.5} nothing={null} missing={undefined}
      list={[1, "2", { a: [] }]} object={{ a: 1, b: { c: 2 } }} />;`,
}, async ({ page, problems }) => {
  await page.waitForSelector("main .browser");
  assert.deepEqual(JSON.parse(await page.textContent("main b") ?? ""), {
    text: "</script>",
    yes: true,
    number: 1.5,
    nothing: null,
    list: [1, "2", { a: [] }],
    object: { a: 1, b: { c: 2 } },
  });
  assert.deepEqual(problems, []);
});
