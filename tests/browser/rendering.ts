import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible, sidewaysScroll } from "./helpers.ts";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 320, height: 700 };

/**
 * Checks the state of a page that is open, in a context with `bypassCSP`: it is accessible on a wide screen in
 * both color schemes and on a narrow one, and fits a screen of 320 px and text of double size.
 */
export async function assertRendersWell(page: Page, name: string): Promise<void> {
  await page.setViewportSize(WIDE);
  await assertAccessibleInBoth(page);
  await page.setViewportSize(NARROW);
  await assertAccessible(page);
  await assertFits(page, name);
}

/** Checks that a page is accessible in both color schemes; the dark one stays. */
export async function assertAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await assertAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await assertAccessible(page, { rules: "colors" });
}

/** Checks that a page fits a screen of 320 px, and one of 640 px with text of double size. */
export async function assertFits(page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW);
  assert.equal(await sidewaysScroll(page), 0, `${name} at ${NARROW.width} px`);
  await page.setViewportSize({ ...WIDE, width: WIDE.width / 2 });
  await page.evaluate(() => document.documentElement.style.fontSize = "200%");
  assert.equal(await sidewaysScroll(page), 0, `${name} with text of 200 %`);
  await page.evaluate(() => document.documentElement.style.fontSize = "");
}
