import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { adminTest } from "./admin_cast.ts";
import { waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";

/** Presses of Tab after which an element counts as out of reach; more than any page has elements. */
const MAX_PRESSES = 300;

/** An administrator who uses nothing but the keyboard. */
class KeyboardUser {
  constructor(private readonly page: Page, readonly hasScript: boolean) {}

  /** Goes to an element of the page's main part. */
  private async reach(target: Locator): Promise<void> {
    await target.waitFor();
    if (
      !await this.main.evaluateAll((parts) => parts.some((part) => part.contains(document.activeElement)))
    ) {
      await this.reachAny(this.page.getByRole("link", { name: "Skip to content" }));
      await this.page.keyboard.press("Enter");
    }
    await this.reachAny(target);
  }

  /** Presses Tab until an element has the focus. */
  private async reachAny(target: Locator): Promise<void> {
    for (let presses = 0; presses < MAX_PRESSES; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press("Tab");
    }
    assert.fail(`${target} cannot be reached with Tab`);
  }

  /** Follows a link, or presses a button, of the page's main part. */
  async press(role: "link" | "button", name: string | RegExp): Promise<void> {
    await this.reach(this.main.getByRole(role, toOptions(name)).first());
    await this.page.keyboard.press("Enter");
  }

  /** Opens a page of the menu. */
  async open(name: string): Promise<void> {
    await this.reachAny(this.page.getByRole("navigation").getByRole("link", toOptions(name)).first());
    await this.page.keyboard.press("Enter");
    await this.page.getByRole("heading", { level: 1, name }).waitFor();
    if (this.hasScript) await whenLive(this.page);
  }

  /** Opens a part of the page that is folded. */
  async unfold(text: string): Promise<void> {
    const summary = this.main.locator("summary").filter({ hasText: text });
    const isOpen = await summary.evaluate((element) => element.parentElement?.hasAttribute("open") === true);
    if (isOpen) return;
    await this.reach(summary);
    await this.page.keyboard.press("Enter");
  }

  /** Replaces the text of a field. */
  async type(name: string, text: string): Promise<void> {
    await this.reach(this.main.getByLabel(name, { exact: true }));
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.type(text);
  }

  /** Chooses an option of a list by its first letters. */
  async choose(name: string, option: string): Promise<void> {
    const list = this.main.getByLabel(name, { exact: true });
    await this.reach(list);
    await this.page.keyboard.type(option);
    await waitForState(() => list.locator("option:checked").textContent(), option);
  }

  /** Waits for what the page reports after an action. */
  async read(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
    if (this.hasScript) await whenLive(this.page);
  }

  /** The page's main part and its open dialog. */
  private get main(): Locator {
    return this.page.locator("main, dialog[open]");
  }
}

function toOptions(name: string | RegExp) {
  return { name, exact: typeof name === "string" };
}

const TASKS: Readonly<Record<string, (user: KeyboardUser) => Promise<void>>> = {
  "invite a person": async (user) => {
    await user.open("Invitations");
    await user.unfold("Invite people");
    await user.type("Email addresses", "flora@example.org\n");
    if (!user.hasScript) await user.press("button", "Check addresses");
    await user.press("button", "Invite 1 person");
    await user.read("1 person invited.");
  },
  "revoke an invitation": async (user) => {
    await user.press("link", /^Revoke ?: flora@example.org$/);
    await user.press("button", "Revoke invitation");
    await user.read("Invitation to flora@example.org revoked.");
  },
  "create a channel folder": async (user) => {
    await user.open("Channel folders");
    await user.type("Name", "Beds");
    await user.press("button", "Create folder");
    await user.read("Folder Beds created.");
  },
  "archive and restore the folder": async (user) => {
    await user.press("link", /^Archive.*Beds$/);
    await user.press("button", "Archive folder");
    await user.read("Folder Beds archived.");
    await user.press("link", "Show archived folders");
    await user.press("button", /^Restore ?: Beds$/);
    await user.read("Folder Beds restored without channels.");
  },
  "add a linkifier": async (user) => {
    await user.open("Linkifiers");
    await user.press("link", "Ticket key");
    await user.type("URL template", "https://tickets.garden.example/{key}");
    await user.press("button", "Add linkifier");
    await user.read("added.");
  },
  "delete the linkifier": async (user) => {
    await user.press("link", /^Delete/);
    await user.press("button", "Delete linkifier");
    await user.read("deleted.");
  },
  "add a profile field": async (user) => {
    await user.open("Profile fields");
    await user.press("link", "Add field");
    await user.type("Label", "Favorite tree");
    await user.press("button", "Add field");
    await user.read("Field Favorite tree added.");
  },
  "rename the organization": async (user) => {
    await user.open("Organization");
    await user.type("Name", "Orchard");
    await user.press("button", "Save profile");
    await user.read("Settings saved.");
  },
  "change the role of a user": async (user) => {
    await user.open("Users");
    await user.press("link", "Dilip");
    await user.choose("Role", "Moderator");
    await user.press("button", "Save");
    await user.read("Dilip saved.");
  },
  "create a group with a member": async (user) => {
    await user.open("Groups");
    await user.press("link", "Create group");
    await user.type("Name", "hive");
    await user.press("button", "Create group");
    await user.read("Group hive created.");
  },
  "create a channel": async (user) => {
    await user.open("Channels");
    await user.press("link", "Create channel");
    await user.type("Name", "roof");
    await user.press("button", "Create channel");
    await user.read("Channel roof created.");
  },
  "find a change in the audit log": async (user) => {
    await user.open("Audit log");
    await user.read("Changed the role of Dilip");
    await user.press("link", "Dilip");
    await user.read("Moderator · Joined");
  },
};

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  adminTest(`twelve tasks need nothing but the keyboard, ${how} JavaScript`, async (cast) => {
    const { page, complaints } = await cast.visitAs("owner", "/admin", { javaScriptEnabled });
    const user = new KeyboardUser(page, javaScriptEnabled);
    for (const [title, task] of Object.entries(TASKS)) {
      await task(user).catch((cause) => assert.fail(`cannot ${title}: ${cause}`));
    }
    assert.deepEqual(complaints, []);
  });
}
