import assert from "node:assert/strict";
import { App, type Context } from "fresh";
import { h, type VNode } from "preact";
import type { Page } from "playwright-core";
import { AccountPage } from "@/components/account/AccountPage.tsx";
import { ConfirmationPage } from "@/components/account/ConfirmEmailPage.tsx";
import { ForgotPasswordPage } from "@/components/account/ForgotPasswordPage.tsx";
import { LoginPage } from "@/components/account/LoginPage.tsx";
import { ResetPasswordExpired, ResetPasswordPage } from "@/components/account/ResetPasswordPage.tsx";
import { SetupPage, SetupUnavailable } from "@/components/setup/SetupPage.tsx";
import type { AccountData } from "@/lib/pages/account_page.ts";
import { compileStyles } from "@/lib/build/styles.ts";
import { chromiumTest, type Site, visit, waitForState } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

const NO_SCRIPT = { javaScriptEnabled: false };
const LONG_NAME = "Verein-der-Freundinnen-und-Freunde-der-Donaudampfschifffahrt";
const API_KEY = "q7Zr2LkW9bXvT4nYpE6sJ8dHcM3gAuFo";

const LOGIN = {
  organization: "Acme",
  icon: null,
  next: "/admin",
  form: { email: "" },
  problem: null,
  notice: null,
};
const SETUP = {
  baseUrl: "https://chat.example.com",
  token: "secret",
  form: { organization: "Acme", fullName: "Ada", email: "ada@example" },
  problems: {},
};
const ACCOUNT: AccountData = {
  adminPath: "/admin",
  organization: "Acme",
  icon: null,
  user: { fullName: "Ada Admin", email: "ada@example.com", role: 100, pendingEmail: null },
  apiKey: { shown: null, lastUsed: null },
  sessions: [
    {
      id: "a",
      createdAt: "12 November",
      lastUsedAt: "just now",
      device: "Firefox on Linux",
      isCurrent: true,
    },
    {
      id: "b",
      createdAt: "3 November",
      lastUsedAt: "yesterday",
      device: "Safari on iPhone",
      isCurrent: false,
    },
  ],
  notice: null,
  problems: {},
  typed: {},
  theme: "system",
  timeZone: "",
  timeZones: ["Europe/Berlin"],
  canChangeName: true,
  canChangeEmail: true,
  hasMail: true,
};
const FORGOT = { form: { email: "" }, isSent: false, problem: null, hasMail: true };
const LONG_USER = {
  fullName: LONG_NAME,
  email: `${LONG_NAME}@example.com`,
  role: 600,
  pendingEmail: `new-${LONG_NAME}@example.com`,
} as const;

/** Every page in every distinct state, by path. */
const PAGES: Readonly<Record<string, () => VNode>> = {
  "/setup": () => SetupPage(SETUP),
  "/setup-refused": () =>
    SetupPage({
      ...SETUP,
      problems: { email: "Not a complete address.", other: "Busy." },
    }),
  "/setup-gone": () => SetupUnavailable({ isSetUp: true }),
  "/setup-wrong": () => SetupUnavailable({ isSetUp: false }),
  "/login": () => LoginPage({ ...LOGIN, notice: "Your password was changed." }),
  "/login-refused": () => LoginPage({ ...LOGIN, form: { email: "ada@example.com" }, problem: "Not known." }),
  "/login-none": () => LoginPage({ ...LOGIN, organization: null }),
  "/forgot": () => ForgotPasswordPage(FORGOT),
  "/forgot-refused": () =>
    ForgotPasswordPage({ ...FORGOT, form: { email: "ada" }, problem: "Not complete." }),
  "/forgot-sent": () => ForgotPasswordPage({ ...FORGOT, form: { email: LONG_USER.email }, isSent: true }),
  "/forgot-unsent": () => ForgotPasswordPage({ ...FORGOT, hasMail: false }),
  "/reset": () => ResetPasswordPage({ linkKey: "secret", signIn: null, problems: {} }),
  "/reset-sign-in": () =>
    ResetPasswordPage({
      linkKey: "secret",
      signIn: { organization: LONG_NAME, name: LONG_NAME, email: LONG_USER.email, isFirst: true },
      problems: {},
    }),
  "/reset-gone": () => ResetPasswordExpired(),
  "/account": () => AccountPage(ACCOUNT),
  "/account-key": () =>
    AccountPage({
      ...ACCOUNT,
      apiKey: { shown: API_KEY, lastUsed: "Nov 23, 2026" },
      notice: { kind: "good", text: "This is your key." },
    }),
  "/account-refused": () => AccountPage({ ...ACCOUNT, problems: { new_password: "Easily guessed." } }),
  "/account-notice": () => AccountPage({ ...ACCOUNT, notice: { kind: "problem", text: "Nothing changed." } }),
  "/account-long": () => AccountPage({ ...ACCOUNT, organization: LONG_NAME, user: LONG_USER }),
  "/account-fixed": () => AccountPage({ ...ACCOUNT, canChangeName: false, canChangeEmail: false }),
  "/account-unsent": () => AccountPage({ ...ACCOUNT, hasMail: false }),
  "/confirmed": () =>
    ConfirmationPage({
      title: "Your address was changed",
      text: "You sign in with it from now on.",
      link: { href: "/account", label: "Your account" },
    }),
};

/** Serves the pages alone, and accepts every form that they send. */
async function startPages(): Promise<{ baseUrl: string; stop: () => Promise<void> }> {
  const styles = await compileStyles(
    await Deno.readTextFile(new URL("../../static/styles.css", import.meta.url)),
  );
  const app = new App().appWrapper(({ Component }) =>
    h("html", { lang: "en" }, [
      h("head", null, [
        h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
        h("link", { rel: "stylesheet", href: "/styles.css" }),
        h("link", { rel: "icon", href: "data:," }),
      ]),
      h("body", null, h(Component, null)),
    ])
  );
  app.route("/styles.css", {
    handler: () => new Response(styles, { headers: { "content-type": "text/css" } }),
  });
  for (const [path, page] of Object.entries(PAGES)) {
    const handler = (ctx: Context<unknown>) =>
      ctx.req.method === "POST" ? new Response("Taken.") : ctx.render(page());
    app.route(path, { handler });
  }
  app.route("/:rest*", { handler: () => new Response("Taken.") });
  const server = Deno.serve({ port: 0, onListen: () => {} }, app.handler());
  return { baseUrl: `http://localhost:${server.addr.port}`, stop: () => server.shutdown() };
}

let started: ReturnType<typeof startPages> | undefined;
Deno.test.afterAll(async () => await (await started)?.stop());

function pagesTest(name: string, test: (site: Site) => Promise<void>): void {
  chromiumTest(name, async (browser) => {
    started ??= startPages();
    await test({ baseUrl: (await started).baseUrl, browser, printed: () => "" });
  });
}

/** Sends a form without JavaScript, and returns the path and the fields that were sent. */
async function send(site: Site, path: string, fill: (page: Page) => Promise<void>): Promise<string> {
  // In a context of its own: the answer to an earlier form may still replace the page of another one.
  const { page } = await visit(site, path, NO_SCRIPT);
  const [request] = await Promise.all([
    page.waitForRequest((request) => request.method() === "POST"),
    fill(page),
  ]);
  return `${new URL(request.url()).pathname}?${request.postData()}`;
}

pagesTest(
  "every state of the account pages is accessible and fits small screens and large text",
  async (site) => {
    const { page, complaints } = await visit(site, "/setup", { bypassCSP: true });
    for (const path of Object.keys(PAGES)) {
      await page.goto(path);
      await assertRendersWell(page, path);
      assert.equal(await page.locator("[autofocus]").count() <= 1, true, path);
      assert.deepEqual(complaints, [], path);
    }
  },
);

pagesTest("the focus moves to the field to correct, or to the result of the form", async (site) => {
  const { page } = await visit(site, "/setup");
  const readFocused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const ids = element?.getAttribute("aria-describedby")?.split(" ") ?? [];
      return `${element?.id}: ${ids.map((id) => document.getElementById(id)?.textContent).join(" ")}`;
    });
  // Browsers move the focus in a frame after the page is loaded.
  const assertFocused = async (path: string, expected: string) => {
    await page.goto(path);
    await waitForState(readFocused, expected);
  };
  await assertFocused("/setup-refused", "email: Not a complete address. Busy.");
  await assertFocused("/login-refused", "password: Not known.");
  await assertFocused("/forgot-refused", "email: Not complete.");
  await assertFocused("/account-refused", "new_password: Easily guessed.");
  await assertFocused("/account-key", "api_key: ");
  await page.goto("/account-notice");
  assert.equal(await page.locator("[role=alert]:focus").innerText(), "Nothing changed.");
});

pagesTest("forms send the expected fields, also when submitted with the Enter key", async (site) => {
  assert.equal(
    await send(site, "/login", async (page) => {
      await page.getByLabel("Email address").fill("ada@example.com");
      await page.getByLabel("Password").fill("a b");
      await page.keyboard.press("Enter");
    }),
    "/login?next=%2Fadmin&username=ada%40example.com&password=a+b",
  );
  assert.equal(
    await send(site, "/reset", (page) => page.getByRole("button", { name: "Change password" }).click()),
    "/reset?key=secret&new_password=",
  );
  assert.equal(
    await send(site, "/account", (page) => page.getByLabel("Full name").press("Enter")),
    "/account?full_name=Ada+Admin&action=name",
  );
  assert.equal(
    await send(
      site,
      "/account",
      (page) => page.getByRole("region", { name: "API key" }).getByLabel("Your password").press("Enter"),
    ),
    "/account?password=&action=show_key",
  );
  assert.equal(
    await send(
      site,
      "/account",
      (page) => page.getByRole("button", { name: "Sign out Safari on iPhone" }).click(),
    ),
    "/account?session_id=b&action=end_session",
  );
});
