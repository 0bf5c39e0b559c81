import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { adminPaths } from "./admin_walk.ts";
import { assertAccessible, gzipSize } from "./helpers.ts";
import { whenLive } from "./live.ts";

const MAX_STYLE_BYTES = 12_000;
const MAX_SCRIPT_BYTES = scriptLimit(20_000);
/** Pages with larger scripts: a chart, and the engine that runs patterns. */
const MAX_SCRIPT_OF: readonly (readonly [place: string, bytes: number])[] = [
  ["/admin/stats", scriptLimit(40_000)],
  ["/admin/linkifiers", scriptLimit(70_000)],
];
/** Tests that divide the pages among them, so that none takes minutes on a busy machine. */
const PARTS = 3;
/** Error pages, and the user who sees each. */
const REFUSALS = [["owner", "/admin/no/such/page"], ["member", "/admin/users"]] as const;

/** Records the scripts and styles of a page. */
function recordBundles(page: Page): Set<string> {
  const urls = new Set<string>();
  page.on("request", (request) => {
    if (/^(script|stylesheet)$/.test(request.resourceType())) urls.add(request.url());
  });
  return urls;
}

/** Returns a function that caches the compressed size, in bytes, of an immutable URL. */
function sizesOf(): (url: string) => Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  return (url) => {
    const size = sizes.get(url) ?? fetch(url).then((answer) => answer.bytes()).then(gzipSize);
    sizes.set(url, size);
    return size;
  };
}

interface Bundles {
  readonly urls: ReadonlySet<string>;
  readonly sizeOf: (url: string) => Promise<number>;
}

async function assertSmall(path: string, { urls, sizeOf }: Bundles): Promise<void> {
  const sizes = { script: 0, style: 0 };
  for (const url of urls) {
    sizes[new URL(url).pathname.endsWith(".css") ? "style" : "script"] += await sizeOf(url);
  }
  const most = MAX_SCRIPT_OF.find(([place]) => path.startsWith(place))?.[1] ?? MAX_SCRIPT_BYTES;
  assert.ok(sizes.script > 0 && sizes.script <= most, `${sizes.script} bytes of script`);
  assert.ok(sizes.style > 0 && sizes.style <= MAX_STYLE_BYTES, `${sizes.style} bytes of style`);
}

/** Returns the elements that overflow, at several widths and with text of double size. */
async function findOverflows(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  const look = async (what: string) => {
    const [pixels, rail] = await page.evaluate(() =>
      [document.documentElement, document.querySelector("header")].map((part) =>
        part === null ? Infinity : part.scrollWidth - part.clientWidth
      )
    );
    if (pixels !== 0) found.push(`${what} scrolls ${pixels} px sideways`);
    if (rail !== 0) found.push(`${what}: the navigation is ${rail} px too wide`);
  };
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await look(`at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => document.documentElement.style.fontSize = "200%");
  await look("with text of 200 %");
  await page.evaluate(() => document.documentElement.style.fontSize = "");
  return found;
}

/** Returns accessibility violations on a wide screen in light colors and on a narrow one in dark colors. */
async function findAccessibilityProblems(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of [["light", 1280], ["dark", 320]] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page).catch((error: Error) => found.push(`${colorScheme}: ${error.message}`));
  }
  return found;
}

for (let part = 1; part <= PARTS; part++) {
  adminTest(
    `every admin page is accessible in both color schemes, fits every screen, and is small (${part} of ${PARTS})`,
    async (cast) => {
      const { page, complaints } = await cast.visitAs("owner", "/admin", { bypassCSP: true });
      const bundles = { urls: recordBundles(page), sizeOf: sizesOf() };
      const problems: string[] = [];
      for (const path of (await adminPaths(cast)).filter((_, at) => at % PARTS === part - 1)) {
        bundles.urls.clear();
        complaints.length = 0;
        const answer = await page.goto(path);
        await whenLive(page);
        assert.equal(answer?.status(), 200, path);
        assert.equal(await page.locator("h1").count(), 1, path);
        assert.match(await page.title(), / · Gardeners · Sotto$/);
        const sizes = await assertSmall(path, bundles).then(() => [], ({ message }: Error) => [message]);
        const found = [
          ...sizes,
          ...await findAccessibilityProblems(page),
          ...await findOverflows(page, [320, 760, 1000, 1920]),
        ];
        problems.push(...[...found, ...complaints].map((problem) => `${path}: ${problem}`));
      }
      assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
    },
  );
}

adminTest("the error pages of the admin area are accessible and fit every screen", async (cast) => {
  for (const [part, path] of REFUSALS) {
    const { page, complaints } = await cast.visitAs(part, path, { bypassCSP: true });
    assert.equal(await page.locator("h1").count(), 1);
    assert.deepEqual([
      ...await findAccessibilityProblems(page),
      ...await findOverflows(page, [320, 760]),
      ...complaints,
    ], []);
  }
});

/** Gives users and records names of maximum length without break opportunities. */
async function setLongNames(cast: AdminCast): Promise<void> {
  await cast.call("owner", "PATCH /realm", { name: "G".repeat(40) });
  await cast.call("owner", `PATCH /users/${cast.people.owner.id}`, { full_name: "A".repeat(100) });
  await cast.call("owner", "POST /channel_folders/create", {
    name: "R".repeat(60),
    description: "s".repeat(500),
  });
  await cast.call("owner", "POST /user_groups/create", {
    name: "P".repeat(100),
    description: "",
    members: [],
  });
  await cast.call("owner", "POST /channels/create", {
    name: "C".repeat(60),
    subscribers: [cast.people.owner.id],
  });
  await cast.call("owner", "POST /realm/playgrounds", {
    name: "S".repeat(60),
    pygments_language: "L".repeat(40),
    url_template: `https://example.com/${"x".repeat(200)}{code}`,
  });
}

adminTest("names of any length fit on the admin pages", async (cast) => {
  await setLongNames(cast);
  const { page } = await cast.visitAs("owner", "/admin");
  const places = page.getByRole("navigation").first().getByRole("link");
  const paths = await places.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(path ?? "");
    const found = await findOverflows(page, [320, 390, 760, 1280, 1920]);
    problems.push(...found.map((problem) => `${path}: ${problem}`));
  }
  assert.equal(paths.length, 14);
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});
