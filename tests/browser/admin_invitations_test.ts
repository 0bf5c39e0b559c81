import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { waitFor } from "@/tests/helpers/wait.ts";
import { type AdminCast, adminTest, PASSWORD } from "./admin_cast.ts";
import { stopClock, visit, waitForState } from "./helpers.ts";
import { whenLive, whenShown } from "./live.ts";
import { assertRendersWell } from "./rendering.ts";

const PAGE = "/admin/invitations";
const mailDir = await Deno.makeTempDir({ prefix: "sotto-invitations-" });
Deno.test.afterAll(() => Deno.remove(mailDir, { recursive: true }));
const ENV = { MAIL_DIR: mailDir };

/** Waits for a mail to an address and returns the path of its link. */
function mailedPath(address: string): Promise<string> {
  return waitFor(`a mail with a link reaches ${address}`, async () => {
    for (const { name } of Deno.readDirSync(mailDir)) {
      const mail = await PostalMime.parse(await Deno.readFile(`${mailDir}/${name}`));
      const path = /https?:\/\/[^/\s]+(\/join\/\S+)/.exec(mail.text ?? "")?.[1];
      if (mail.to?.[0]?.address === address && path !== undefined) return path;
    }
    return "";
  });
}

/** Joins through the link at a path. */
async function joinBy({ site }: AdminCast, path: string): Promise<void> {
  const { page } = await visit(site, path);
  await page.locator("[name=full_name]").fill("Noor Lake");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/connect?joined=1");
  await page.context().close();
}

function rowOf(page: Page, name: string) {
  return page.getByRole("row").filter({ hasText: name });
}

adminTest(
  "an invitation is entered as a pill, mailed, accepted, and no longer listed",
  async (cast) => {
    const { page, complaints } = await cast.visitAs("admin", PAGE);
    const box = page.getByRole("textbox", { name: "Email addresses" });
    await box.fill("nobody");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByText("No invitations were sent.").waitFor();
    await page.getByRole("button", { name: "Remove nobody" }).waitFor();
    assert.equal(await page.getByText("nobody: Invalid address.").count(), 1);
    await page.getByRole("button", { name: "Remove nobody" }).click();
    await box.pressSequentially("noor@example.org,");
    await page.getByText("1 address is ready.").waitFor();
    await box.fill(`Ines <ines@example.org>; NOOR@example.org, nobody, ${cast.people.member.email}`);
    await box.press("Enter");
    await page.getByText("nobody: Invalid address.").waitFor();
    await page.getByText("dilip@example.com: Already has an account.").waitFor();
    await page.getByRole("button", { name: "Remove nobody" }).click();
    await page.getByRole("button", { name: "Invite 2 people" }).click();
    await whenShown(page, "2 people invited.");
    await page.getByText("The other").waitFor({ state: "detached" });
    await waitForState(() => page.getByRole("button", { name: /^Remove / }).count(), 1);
    await page.getByRole("button", { name: "Remove dilip@example.com" }).click();
    await joinBy(cast, await mailedPath("noor@example.org"));
    await page.goto(PAGE);
    await rowOf(page, "ines@example.org").waitFor();
    assert.equal(await rowOf(page, "noor@example.org").count(), 0);
    assert.deepEqual(complaints, []);
  },
  ENV,
);

adminTest("an invitation works from form to acceptance without JavaScript", async (cast) => {
  const { page } = await cast.visitAs("admin", PAGE, { javaScriptEnabled: false });
  const box = page.getByRole("textbox", { name: "Email addresses" });
  await box.fill("Lena <lena@example.org>\nnobody");
  await page.getByRole("button", { name: "Check addresses" }).click();
  await page.getByText("nobody: Invalid address.").waitFor();
  await page.getByRole("button", { name: "Invite 1 person" }).click();
  await page.getByText("1 person invited.").waitFor();
  assert.equal((await box.inputValue()).trim(), "nobody");
  await rowOf(page, "lena@example.org").getByRole("button", { name: "Copy link" }).click();
  const url = await page.getByRole("textbox", { name: "Link" }).inputValue();
  await joinBy(cast, new URL(url).pathname);
  await page.goto(PAGE);
  await page.getByText("There are no pending invitations.").waitFor();
}, ENV);

adminTest("an administrator creates, copies, changes and revokes a link", async (cast) => {
  await cast.call("owner", "POST /channels/create", { name: "design", subscribers: [cast.people.owner.id] });
  const { page, complaints } = await cast.visitAs("owner", `${PAGE}?kind=link`);
  const ends = page.getByText(/^Expires [A-Z]/).first();
  const usual = await ends.textContent();
  await page.getByLabel("Expires after").selectOption("Custom…");
  await page.getByLabel("Duration").fill("3");
  await page.getByLabel("Unit").selectOption("weeks");
  await waitForState(async () => await ends.textContent() === usual, false);
  await page.getByRole("button", { name: "Create link" }).click();
  await whenShown(page, "Link created. You can share it now.");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await stopClock(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("status").filter({ hasText: "Link copied." }).waitFor();
  await page.clock.resume();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await page.locator("code").textContent());
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download QR code" }).click();
  assert.equal((await download).suggestedFilename(), "invitation-link-1.svg");
  await page.getByLabel("Role").selectOption("Guest");
  await page.getByLabel("#design").check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Link saved.").waitFor();
  await page.goto(PAGE);
  await rowOf(page, "Reusable link 1").filter({ hasText: "#design" }).filter({ hasText: "Guest" }).waitFor();
  await whenLive(page);
  await page.clock.pauseAt("2030-01-03T00:00:00Z");
  await rowOf(page, "Reusable link 1").getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("status").filter({ hasText: "Link copied." }).waitFor();
  await page.clock.resume();
  await rowOf(page, "Reusable link 1").getByRole("link", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await page.getByText("Reusable link 1 revoked.").waitFor();
  assert.deepEqual(complaints, []);
}, ENV);

adminTest("the keyboard alone invites, selects and revokes", async (cast) => {
  const { page } = await cast.visitAs("admin", PAGE);
  const reach = async (name: RegExp) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute("aria-label") ?? (at?.id || at?.textContent) ?? "";
      });
      if (name.test(label)) return;
    }
    throw new Error(`${name} cannot be reached`);
  };
  await reach(/^emails$/);
  await page.keyboard.type("kim@example.org");
  await page.keyboard.press("Enter");
  await page.getByText("1 address is ready.").waitFor();
  await page.keyboard.press("Backspace");
  await page.getByText("1 address is ready.").waitFor({ state: "detached" });
  await page.keyboard.type("kay@example.org\n");
  await page.getByText("1 address is ready.").waitFor();
  await reach(/^Invite 1 person$/);
  await page.keyboard.press("Enter");
  await page.getByText("1 person invited.").waitFor();
  await whenLive(page);
  await reach(/^Select kay@example.org$/);
  await page.keyboard.press("Space");
  await reach(/^Revoke selected$/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Revoke 1 invitation?" }).waitFor();
  await whenLive(page);
  await reach(/^Revoke 1 invitation$/);
  await page.keyboard.press("Enter");
  await page.getByText("1 invitation revoked.").waitFor();
}, ENV);

adminTest(
  "a file fills the address box, and the row of an expired invitation turns gray on its own",
  async (cast) => {
    const { page } = await cast.visitAs("admin", PAGE);
    await page.getByLabel("Choose a file").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from('Name,Mail\r\n"Lake, Noor","noor@example.org"\r\nInes,ines@example.org\r\n'),
    });
    await page.getByText("2 addresses are ready.").waitFor();
    await page.getByLabel("Expires after").selectOption("1 day");
    await page.getByRole("button", { name: "Invite 2 people" }).click();
    await page.getByText("2 people invited.").waitFor();
    await page.clock.install();
    await page.reload();
    await whenLive(page);
    await rowOf(page, "ines@example.org").getByText("tomorrow").waitFor();
    await page.clock.fastForward("25:00:00");
    await rowOf(page, "ines@example.org").getByText("expired", { exact: true }).waitFor();
    const isGray = async () =>
      /opacity/.test(await rowOf(page, "ines@example.org").getAttribute("class") ?? "");
    await waitForState(isGray, true);
  },
  ENV,
);

adminTest(
  "the invitation pages are legible in both color schemes, on narrow screens and with large text",
  async (cast) => {
    await cast.call("admin", "POST /invites/multiuse", {});
    await cast.call("owner", "POST /invites", {
      invitee_emails: "boss@example.org",
      invite_as: 100,
      stream_ids: [],
    });
    const long = `${"long".repeat(14)}@${"example".repeat(8)}.org`;
    await cast.call("admin", "POST /invites", { invitee_emails: long, stream_ids: [] });
    const paths = [
      `${PAGE}?kind=email`,
      `${PAGE}?kind=link`,
      `${PAGE}/link/1`,
      `${PAGE}/email/2/revoke`,
      `${PAGE}/email/2/link`,
      `${PAGE}/email/2/resend`,
    ];
    const { page, complaints } = await cast.visitAs("admin", PAGE, { bypassCSP: true });
    for (const path of [...paths, `${PAGE}/revoke?chosen=email-2`]) {
      await page.goto(path);
      if (path === `${PAGE}?kind=email`) {
        const box = page.getByRole("textbox", { name: "Email addresses" });
        await box.fill(`nobody, ${long}, a@example.org\n`);
        await box.press("Enter");
        await page.getByText("nobody: Invalid address.").waitFor();
      }
      await page.locator("main summary").evaluateAll((all) =>
        all.forEach((one) => one.parentElement?.setAttribute("open", ""))
      );
      await assertRendersWell(page, path);
      assert.deepEqual(complaints, [], path);
    }
  },
  ENV,
);
