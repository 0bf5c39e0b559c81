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
const MAX_BYTES = 200_000;
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
}

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
  await page.locator("#invitations time").first().waitFor();
  await scrollTo(page, page.locator("#list-title"));
  await draw(page, "invitations.png");
}

/** Scrolls a page so that an element is near its upper edge. */
async function scrollTo(page: Page, element: Locator): Promise<void> {
  const box = await element.boundingBox();
  await page.evaluate((top) => globalThis.scrollTo({ top, behavior: "instant" }), (box?.y ?? 0) - MARGIN_PX);
}

async function draw(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(async () => await document.fonts.ready);
  const path = `${FOLDER}/${name}`;
  const { length } = await page.screenshot({ path, animations: "disabled" });
  if (length > MAX_BYTES) throw new Error(`${path} has ${length} bytes, more than ${MAX_BYTES}`);
  print(`${path} (${length} bytes)`);
}

await main();
