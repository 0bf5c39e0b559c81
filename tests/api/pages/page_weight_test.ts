import assert from "node:assert/strict";
import { createSetupToken } from "@/lib/chat/people/auth/confirmations.ts";
import { createOwnersSamples } from "@/tests/casts/admin_samples_cast.ts";
import { listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import { listPageAssets, sumWireBytes } from "@/tests/helpers/page_assets.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

const MAX_STYLE_BYTES = 12_000;
const MAX_SCRIPT_BYTES = scriptLimit(20_000);
/** Maximum size of a page's markup, compressed; pages with secrets are not compressed. */
const MAX_HTML_BYTES = 14_000;
const MAX_SECRET_HTML_BYTES = 60_000;
/** The page with the API browser, a package of more than a megabyte. */
const EXEMPT = "/docs";

/** Returns a function that checks the page at a path, each set of assets once for each coding. */
function weigher(app: TestApp): (visitor: PageVisitor, path: string) => Promise<void> {
  const seen = new Set<string>();
  const weigh = async (visitor: PageVisitor, path: string): Promise<void> => {
    const { html, status, location } = await visitor.get(path);
    // The overview leads holders of permissions to their first page.
    if (path === "/admin" && status === 303) return await weigh(visitor, location ?? "");
    assert.match(html, /<html/, `${path} answers ${status}`);
    await weighMarkup(app, visitor, path);
    const { styles, scripts } = await listPageAssets(app, html);
    assert.ok(styles.length > 0, path);
    const key = [...styles, ...scripts].join(" ");
    if (seen.has(key)) return;
    seen.add(key);
    for (const coding of ["br", "gzip"]) {
      const style = await sumWireBytes(app, styles, coding);
      const script = await sumWireBytes(app, scripts, coding);
      assert.ok(style <= MAX_STYLE_BYTES, `${path} has ${style} bytes of style (${coding})`);
      assert.ok(script <= MAX_SCRIPT_BYTES, `${path} has ${script} bytes of script (${coding})`);
    }
  };
  return weigh;
}

/** Checks the size of a page's markup as it is sent to a client that accepts gzip. */
async function weighMarkup(app: TestApp, visitor: PageVisitor, path: string): Promise<void> {
  const token = visitor.token();
  const cookie: Record<string, string> = token === null ? {} : { cookie: `sotto_session=${token}` };
  const headers = { accept: "text/html", "accept-encoding": "gzip", ...cookie };
  const response = await app.request(path, { headers });
  const { length } = await response.bytes();
  const isSecret = response.headers.get("cache-control")?.includes("no-transform");
  assert.ok(length <= (isSecret ? MAX_SECRET_HTML_BYTES : MAX_HTML_BYTES), `${path} has ${length} bytes`);
}

/** Returns the path of every admin page, with existing records as parameters. */
async function listAdminPaths(chat: TestChat): Promise<string[]> {
  const samples = await createOwnersSamples(chat);
  return listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) => toAdminPath(pattern, samples));
}

Deno.test("every admin page has at most 12 kB of style and 20 kB of scripts, those for dragging included, for each role", async () => {
  await using chat = await startChat();
  const weigh = weigher(chat);
  const paths = await listAdminPaths(chat);
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest]) {
    const visitor = await signIn(chat, user);
    for (const path of paths) await weigh(visitor, path);
    await weigh(visitor, "/admin/no/such/page");
  }
});

/** Returns the patterns of the pages outside the administration, from the route files. */
function listSitePatterns(folder = new URL("../../../routes/(site)/", import.meta.url), path = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return listSitePatterns(new URL(`${name}/`, folder), `${path}/${name}`);
    return name.endsWith(".tsx") ? [`${path}/${name.slice(0, -4)}`.replace(/(.)?\/index$/, "$1") || "/"] : [];
  });
}

Deno.test("every other page has at most 12 kB of style and 20 kB of scripts, except the API browser", async () => {
  await using chat = await startChat();
  const link = await chat.call(chat.owner, "POST /invites/multiuse", { stream_ids: [] });
  const key = new URL(link.body["invite_link"]).pathname.split("/").at(-1) ?? "";
  const weigh = weigher(chat);
  const [stranger, member, owner] = [
    visitPages(chat),
    await signIn(chat, chat.member),
    await signIn(chat, chat.owner),
  ];
  const patterns = listSitePatterns();
  assert.ok(patterns.includes("/") && patterns.includes("/account") && patterns.includes(EXEMPT));
  for (const pattern of patterns.filter((one) => one !== EXEMPT)) {
    const visitors = /^\/(account|connect)/.test(pattern) ? [member, owner] : [stranger];
    for (const visitor of visitors) await weigh(visitor, pattern.replace("[key]", key));
  }
  await weigh(stranger, "/no/such/page");
  await using fresh = await startTestApp();
  await weigher(fresh)(visitPages(fresh), `/setup?token=${await createSetupToken(fresh.services.chat)}`);
});
