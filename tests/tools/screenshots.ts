import { chromiumPath } from "@/tests/helpers/chromium.ts";
import { chromium, type Locator, type Page } from "playwright-core";
import { SMTPServer } from "smtp-server";
import { systemClock } from "@/lib/core/clock.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { PROJECT, TestServer } from "@/tests/helpers/server.ts";
import { createDemo } from "./demo/create_demo.ts";
import { DEFAULT_VOLUMES } from "./demo/options.ts";
import { print } from "./suite.ts";

/** Address that the pictures show; the browser finds the server of this run behind it. */
const BASE_URL = "http://localhost:8000";
const FOLDER = `${PROJECT}docs/images`;
/** Maximum sizes of the pictures of the README, and of the smaller ones of the administrator's guide. */
const MAX_BYTES = 200_000;
const MAX_GUIDE_BYTES = 60_000;
/** Size of the guide's pictures, narrow enough for the navigation to stand above the page. */
const GUIDE_SIZE = { width: 784, height: 560 };
/** Pixels above the element that a page is scrolled to. */
const MARGIN_PX = 20;
const PASSWORD = "violet kettle seldom 42";
const LONG_URL = "https://handbook.larkspur.example/care/quince?section=pruning&language=en#winter";

async function main(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const store = `${folder}/demo.kv`;
    const owner = await createDemo({
      store: await openSottoStore(store),
      volumes: DEFAULT_VOLUMES,
      isLarge: false,
      password: PASSWORD,
      now: systemClock.now(),
      env: { BASE_URL },
      output: Deno.stderr,
    });
    await using mail = await openMailbox();
    await using server = await TestServer.start({
      baseUrl: BASE_URL,
      env: { KV_URL: store, SMTP_URL: mail.url },
    });
    await takePictures(server, owner);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Takes the pictures as a user, who is given by their address. */
async function takePictures(server: TestServer, username: string): Promise<void> {
  await using browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      `--host-resolver-rules=MAP ${new URL(BASE_URL).host} 127.0.0.1:${server.port}`,
    ],
  });
  const context = await browser.newContext({
    baseURL: BASE_URL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    colorScheme: "light",
    locale: "en-US",
    timezoneId: "UTC",
  });
  await Deno.mkdir(FOLDER, { recursive: true });
  await signIn(await context.newPage(), username);
  await drawOverview(await context.newPage());
  await drawInvitations(await context.newPage());
  for (const [name, show] of Object.entries(GUIDE)) {
    const page = await context.newPage();
    await page.setViewportSize(GUIDE_SIZE);
    const top = await show(page);
    await top.waitFor();
    await scrollTo(page, top);
    await draw(page, `${name}.png`, MAX_GUIDE_BYTES);
    await page.close();
  }
}

/** Pictures of the guide by name: each opens a page and returns the element at the upper edge of the picture. */
const GUIDE: Readonly<Record<string, (page: Page) => Promise<Locator>>> = {
  "admin-users": async (page) => {
    await page.goto("/admin/users");
    const boxes = page.locator("tbody input[type=checkbox]");
    for (const at of [1, 2, 4]) await boxes.nth(at).check();
    return page.getByRole("heading", { level: 1 });
  },
  "admin-invite": async (page) => {
    await page.goto("/admin/invitations?kind=email");
    // The box checks addresses once its script runs.
    await page.getByText("Choose a file").waitFor();
    const field = page.locator("#emails");
    await field.fill(
      "Ines Vale <ines.vale@larkspur.example>, sam.reed@larkspur.example, maren@larkspur.example",
    );
    await field.press("Enter");
    await page.getByText("2 other addresses are ready.").waitFor();
    return page.getByRole("navigation", { name: "How to invite" });
  },
  "admin-channel": async (page) => {
    await page.goto("/admin/channels/new");
    await page.getByLabel("Name", { exact: true }).fill("orchard");
    return page.getByRole("heading", { level: 1 });
  },
  "admin-permissions": async (page) => {
    await page.goto("/admin/organization/permissions");
    return page.getByRole("heading", { name: "Messages", exact: true });
  },
  "admin-linkifier": async (page) => {
    await page.goto("/admin/linkifiers/new?template=issue");
    return page.getByRole("heading", { level: 1 });
  },
  "admin-revert": async (page) => {
    await page.goto("/admin/audit");
    // A click would open a dialog.
    await page.goto(await page.locator("a[href$='/revert']").first().getAttribute("href") ?? "");
    return page.getByRole("heading", { level: 1 });
  },
};

/** Accepts and drops the mail of the server, so that pages show that mail is configured. */
async function openMailbox(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done());
    },
  });
  const listening = Promise.withResolvers<void>();
  const inner = server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = inner.address();
  if (address === null || typeof address === "string") throw new Error("The mailbox has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto("/login");
  await page.locator("[name=username]").fill(username);
  await page.locator("[name=password]").fill(PASSWORD);
  await page.locator("form:has([name=password]) button[type=submit]").click();
  await page.waitForURL((url) => url.pathname !== "/login");
  await page.close();
}

/** Draws the home page with a link that was shortened in its form. */
async function drawOverview(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Long URL").fill(LONG_URL);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.getByRole("button", { name: "Copy short link" }).waitFor();
  await scrollTo(page, page.locator("main dl").first());
  await draw(page, "overview.png");
}

async function drawInvitations(page: Page): Promise<void> {
  await page.goto("/admin/invitations");
  await page.locator("main table time").first().waitFor();
  await scrollTo(page, page.getByRole("heading", { name: "Pending invitations" }));
  await draw(page, "invitations.png");
}

/** Scrolls a page so that an element is near its upper edge. */
async function scrollTo(page: Page, element: Locator): Promise<void> {
  const box = await element.boundingBox();
  await page.evaluate((top) => globalThis.scrollTo({ top, behavior: "instant" }), (box?.y ?? 0) - MARGIN_PX);
}

async function draw(page: Page, name: string, maxBytes = MAX_BYTES): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(async () => await document.fonts.ready);
  const path = `${FOLDER}/${name}`;
  const { length } = await page.screenshot({ path, animations: "disabled" });
  if (length > maxBytes) throw new Error(`${path} has ${length} bytes, more than ${maxBytes}`);
  print(`${path} (${length} bytes)`);
}

await main();
