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

projectTest("islands that share a signal update each other", {
  "islands/Counter.jsx": `export default ({ id, count, double }) =>
    <button id={id} onClick={() => count.value++}>{count} {double}</button>;`,
  "routes/index.jsx": `import { computed, signal } from "@preact/signals";
    import Counter from "../islands/Counter.jsx";
    export default () => {
      const count = signal(3);
      const double = computed(() => count.value * 2);
      return <main><Counter id="a" count={count} double={double} /><Counter id="b" count={count} double={double} /></main>;
    };`,
}, async ({ page, problems }) => {
  await page.click("#a");
  await page.click("#b");
  assert.equal(await page.textContent("#a"), "5 6");
  assert.equal(await page.textContent("#b"), "5 6");
  assert.deepEqual(problems, []);
});

projectTest("a page without islands requests no script", {
  "islands/Unused.jsx": `export default () => <b>unused</b>;`,
  "routes/index.jsx": `export default () => <p>plain</p>;`,
}, async ({ page, scripts }) => {
  assert.equal(await page.textContent("p"), "plain");
  assert.deepEqual(scripts, []);
});

projectTest("children of an island survive with their state and their own islands", {
  "islands/Toggle.jsx": `import { useSignal } from "@preact/signals";
    export default ({ children, icon }) => {
      const open = useSignal(true);
      return <section>
        <button id="toggle" onClick={() => open.value = !open.value}>{icon} toggle</button>
        {open.value ? <div id="content">{children}</div> : null}
      </section>;
    };`,
  "islands/Counter.jsx": `import { useSignal } from "@preact/signals";
    export default () => { const n = useSignal(0); return <button id="count" onClick={() => n.value++}>{n}</button>; };`,
  "routes/index.jsx": `import Toggle from "../islands/Toggle.jsx";
    import Counter from "../islands/Counter.jsx";
    export default () => <Toggle icon={<b class="icon">+</b>}>
      <p class="text" title="kept" data-kept="1">server <em>text</em></p>
      <label><input type="checkbox" id="box" checked /> box</label>
      <svg viewBox="0 0 1 1"><path d="M0 0" /></svg>
      <Counter />
    </Toggle>;`,
}, async ({ page, problems }) => {
  const before = await page.innerHTML(".text");
  await page.click("#count");
  assert.equal(await page.textContent("#count"), "1");
  assert.equal(await page.isChecked("#box"), true);
  await page.click("#toggle");
  assert.equal(await page.$("#content"), null);
  await page.click("#toggle");
  assert.equal(await page.innerHTML(".text"), before);
  assert.equal(await page.getAttribute(".text", "title"), "kept");
  assert.equal(await page.getAttribute(".text", "data-kept"), "1");
  assert.equal(
    await page.evaluate(() => document.querySelector("path")?.namespaceURI),
    "http://www.w3.org/2000/svg",
  );
  assert.equal(await page.textContent(".icon"), "+");
  await page.click("#count");
  assert.equal(await page.textContent("#count"), "1", "a nested island that was closed starts anew");
  assert.deepEqual(problems, []);
});

projectTest("children hidden at first appear when the island shows them", {
  "islands/Closed.jsx": `import { useSignal } from "@preact/signals";
    export default ({ children }) => {
      const open = useSignal(false);
      return <div><button id="open" onClick={() => open.value = true}>open</button>{open.value && children}</div>;
    };`,
  "routes/index.jsx": `import Closed from "../islands/Closed.jsx";
    export default () => <Closed><p id="later">later</p></Closed>;`,
}, async ({ page, problems }) => {
  assert.equal(await page.$("#later"), null);
  await page.click("#open");
  assert.equal(await page.textContent("#later"), "later");
  assert.deepEqual(problems, []);
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
  "islands/Where.jsx": `import { IS_BROWSER } from "fresh/runtime";
    export default () => <b id="here" class={IS_BROWSER ? "browser" : "server"}>{IS_BROWSER ? "new" : <i>old</i>}</b>;`,
  "routes/index.jsx": `import Where from "../islands/Where.jsx";
    export default () => <main><Where /></main>;`,
}, async ({ page, problems }) => {
  assert.equal(await markup(page), `<b id="here" class="browser">new</b>`);
  assert.deepEqual(problems, []);
});

projectTest("a node of the server that the browser does not render stays after the island's own nodes", {
  "islands/Where.jsx": `import { IS_BROWSER } from "fresh/runtime";
    export default () => IS_BROWSER ? <b id="here" class="browser">browser</b> : <i id="here">server</i>;`,
  "routes/index.jsx": `import Where from "../islands/Where.jsx";
    export default () => <main><Where /></main>;`,
}, async ({ page, problems }) => {
  assert.equal(await markup(page), `<b id="here" class="browser">browser</b><i id="here">server</i>`);
  assert.deepEqual(problems, []);
});

projectTest("props arrive in the browser with their types and their identity", {
  "islands/Report.jsx": `import { IS_BROWSER } from "fresh/runtime";
    const show = (value) => {
      if (Object.is(value, -0)) return "-0";
      if (typeof value === "bigint") return value + "n";
      if (value instanceof Date) return "Date " + value.toISOString();
      if (value instanceof URL) return "URL " + value.href;
      if (value instanceof RegExp) return "RegExp " + value;
      if (value instanceof Uint8Array) return "Uint8Array " + value;
      if (value instanceof Map) return "Map " + [...value].map((pair) => pair.map(show).join("=")).join();
      if (value instanceof Set) return "Set " + [...value].map(show).join();
      if (Array.isArray(value)) return "[" + value.map(show).join() + "]";
      if (value && typeof value === "object") return "{" + Object.keys(value).join() + "}";
      return typeof value + " " + String(value);
    };
    export default ({ same, cycle, ...values }) => <ul>
      {IS_BROWSER && Object.entries(values).map(([name, value]) => <li id={name}>{show(value)}</li>)}
      {IS_BROWSER && <li id="same">{String(same[0] === same[1])}</li>}
      {IS_BROWSER && <li id="cycle">{String(cycle.self === cycle)}</li>}
    </ul>;`,
  "routes/index.jsx": `import Report from "../islands/Report.jsx";
    export default () => {
      const shared = { a: 1 };
      const cycle = {};
      cycle.self = cycle;
      return <Report text="</script>" yes={true} number={1.5} nothing={null} missing={undefined}
        numbers={[NaN, Infinity, -Infinity, -0]} big={123456789012345678901n} date={new Date(0)}
        url={new URL("http://localhost/a?b")} pattern={/a+/gi} bytes={new Uint8Array([0, 255])}
        map={new Map([["k", new Set([1])]])} set={new Set(["x"])} object={{ a: 1, b: 2 }}
        same={[shared, shared]} cycle={cycle} />;
    };`,
}, async ({ page, problems }) => {
  const shown = await page.evaluate(() =>
    Object.fromEntries(Array.from(document.querySelectorAll("li"), (item) => [item.id, item.textContent]))
  );
  assert.deepEqual(shown, {
    text: "string </script>",
    yes: "boolean true",
    number: "number 1.5",
    nothing: "object null",
    missing: "undefined undefined",
    numbers: "[number NaN,number Infinity,number -Infinity,-0]",
    big: "123456789012345678901n",
    date: "Date 1970-01-01T00:00:00.000Z",
    url: "URL http://localhost/a?b",
    pattern: "RegExp /a+/gi",
    bytes: "Uint8Array 0,255",
    map: "Map string k=Set number 1",
    set: "Set string x",
    object: "{a,b}",
    same: "true",
    cycle: "true",
  });
  assert.deepEqual(problems, []);
});
