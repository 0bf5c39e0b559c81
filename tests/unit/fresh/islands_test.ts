import assert from "node:assert/strict";
import { App, csp, staticFiles } from "fresh";
import { type Project, withProject } from "@/tests/casts/fresh_project_cast.ts";

const BOX = `export default () => <div></div>;`;

/** Returns a project with one island whose props are a JSX expression. */
function pageWith(props: string): Record<string, string> {
  return {
    "islands/Box.jsx": BOX,
    "routes/index.jsx": `import Box from "../islands/Box.jsx";
      export default () => <Box ${props} />;`,
  };
}

/** Returns the scripts that a page preloads in its Link header. */
function preloads(response: Response): string[] {
  return Array.from((response.headers.get("link") ?? "").matchAll(/<([^>]+)>/g), (match) => match[1] ?? "");
}

Deno.test("a page without islands ships no script and preloads none", async () => {
  const files = { "islands/Box.jsx": BOX, "routes/index.jsx": `export default () => <p>plain</p>;` };
  await withProject(files, async ({ get }) => {
    const response = await get("/");
    assert.equal(response.headers.get("link"), null);
    assert.doesNotMatch(await response.text(), /<script|frsh:/);
  });
});

Deno.test("an island is rendered on the server, between comments, and started by an inline script", async () => {
  await withProject(pageWith(`size={1}`), async ({ get }) => {
    const response = await get("/");
    const html = await response.text();
    assert.match(html, /<!--frsh:island[^>]*--><div><\/div><!--\/frsh:island-->/);
    assert.match(html, /<script type="module" nonce="[^"]+">[^<]*<\/script><\/body>/);
    assert.ok(preloads(response).length >= 2);
    for (const url of preloads(response)) assert.equal((await get(url)).status, 200, url);
  });
});

Deno.test("islands are found in nested folders, and equal file names get scripts of their own", async () => {
  const files = {
    "islands/admin/Box.jsx": `export default () => <b>admin</b>;`,
    "islands/account/sessions/Box.jsx": `export default () => <b>sessions</b>;`,
    "routes/index.jsx": `import One from "../islands/admin/Box.jsx";
      import Other from "../islands/account/sessions/Box.jsx";
      export default () => <><One /><Other /></>;`,
  };
  await withProject(files, async ({ get }) => {
    const response = await get("/");
    assert.equal((await response.text()).match(/<!--frsh:island/g)?.length, 2);
    const scripts = await Promise.all(preloads(response).map(async (url) => await (await get(url)).text()));
    assert.deepEqual(
      ["admin", "sessions"].map((text) => scripts.filter((script) => script.includes(`"${text}"`)).length),
      [1, 1],
    );
  });
});

Deno.test("the inline script's nonce is new for each request and allowed by csp()", async () => {
  const makeApp = () => new App().use(csp({ useNonce: true })).use(staticFiles()).fsRoutes();
  await withProject(pageWith(`size={1}`), async ({ get }) => {
    const seen = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const response = await get("/");
      const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? "none";
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}'`), policy);
      seen.add(nonce);
    }
    assert.equal(seen.size, 2);
  }, makeApp);
});

Deno.test("the Link header names scripts without the nonce", async () => {
  await withProject(pageWith(`size={1}`), async ({ get }) => {
    const links = (await get("/")).headers.get("link")?.split(", ") ?? [];
    assert.ok(links.length >= 2);
    for (const link of links) assert.match(link, /^<[^>]+>; rel="modulepreload"; as="script"$/);
  });
});

Deno.test("inline scripts and styles of a page get the nonce", async () => {
  const files = {
    "routes/index.jsx":
      `export default () => <><style>a</style><script dangerouslySetInnerHTML={{ __html: "1" }} /></>;`,
  };
  await withProject(files, async ({ text }) => {
    assert.match(await text("/"), /<style nonce="([^"]+)">a<\/style><script nonce="\1">1<\/script>/);
  });
});

Deno.test("an island accepts any JSON as props, and undefined", async () => {
  await withProject(
    pageWith(`text="a" list={[1, null]} nested={{ a: [{ b: 1 }] }} missing={undefined}`),
    async ({ get }) => {
      assert.equal((await get("/")).status, 200);
    },
  );
});

Deno.test("a function as a prop of an island is answered with 500", async () => {
  await withProject(pageWith(`onSave={() => {}}`), async ({ get }) => {
    assert.equal((await get("/")).status, 500);
  });
});

Deno.test("text in props cannot end the inline script", async () => {
  await withProject(pageWith(`text="</script><b>"`), async ({ text }) => {
    const html = await text("/");
    assert.equal(html.split("</script>").length, 2);
  });
});

Deno.test("an island inside an island is an ordinary component", async () => {
  const files = {
    "islands/Inner.jsx": `export default () => <i>inner</i>;`,
    "islands/Outer.jsx": `import Inner from "./Inner.jsx"; export default () => <div><Inner /></div>;`,
    "routes/index.jsx": `import Outer from "../islands/Outer.jsx"; export default () => <Outer />;`,
  };
  await withProject(files, async ({ text }) => {
    const html = await text("/");
    assert.equal(html.split("<!--frsh:island").length, 2);
    assert.match(html, /<div><i>inner<\/i><\/div>/);
  });
});

Deno.test("named exports of a file are islands", async () => {
  const files = {
    "islands/delete.jsx": `export const One = () => <b>1</b>; export const Two = () => <b>2</b>;`,
    "routes/index.jsx": `import { One, Two } from "../islands/delete.jsx";
      export default () => <><One /><Two /></>;`,
  };
  await withProject(files, async ({ text }) => {
    assert.equal((await text("/")).split("<!--frsh:island").length, 3);
  });
});

Deno.test("shared code of islands is bundled once", async () => {
  const files = {
    "islands/A.jsx": `import { useSignal } from "@preact/signals";
      export default () => { const n = useSignal(0); return <b onClick={() => n.value++}>{n}</b>; };`,
    "islands/B.jsx": `import { useState } from "preact/hooks";
      export default () => { const [n, set] = useState(0); return <b onClick={() => set(n + 1)}>{n}</b>; };`,
    "routes/index.jsx": `import A from "../islands/A.jsx"; import B from "../islands/B.jsx";
      export default () => <><A /><B /></>;`,
  };
  await withProject(files, async (project) => {
    const scripts = await loadScripts(project, preloads(await project.get("/")));
    const withPreact = scripts.filter((code) => code.includes("createElementNS"));
    assert.equal(withPreact.length, 1, "the code of Preact's renderer is in one script");
  });
});

/** Returns the code of scripts and of all their imports. */
async function loadScripts({ text }: Project, urls: string[]): Promise<string[]> {
  const loaded = new Map<string, string>();
  const queue = [...urls];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (loaded.has(url)) continue;
    const code = await text(url);
    loaded.set(url, code);
    for (const [, path = ""] of code.matchAll(/from"(\.\/[^"]+)"/g)) {
      queue.push(new URL(path, `http://localhost${url}`).pathname);
    }
  }
  return [...loaded.values()];
}
