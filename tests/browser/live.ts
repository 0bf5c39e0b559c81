import type { Page } from "playwright-core";

/** The document while the effects of its islands have not run: they enable the buttons that open dialogs. */
const NOT_LIVE = "html:has(button[data-opens][disabled])";
/** Number of frames in a row without a transition after which none is expected to start. */
const STILL_FRAMES = 3;

/** Waits until a page is loaded and the effects of its islands have run. */
export async function whenLive(page: Page): Promise<void> {
  await page.waitForFunction(
    (notLive) => document.readyState === "complete" && document.querySelector(notLive) === null,
    NOT_LIVE,
  ).catch((cause) => {
    throw new Error("The page is not loaded, or the effects of its islands have not run.", { cause });
  });
}

/**
 * Makes every action and wait of a locator wait until the islands of the page work, also after the page was
 * replaced: before that, a click or a key press may have no effect, or another one. Actions on one page follow one
 * another: of two at once that find the islands not working, Playwright never continues the first.
 */
export async function actWhenLive(page: Page): Promise<void> {
  // Playwright waits until the locator is hidden, so there is nothing else to do.
  await page.addLocatorHandler(page.locator(NOT_LIVE), () => Promise.resolve());
}

/** Waits until a page shows a text and its islands work, as after a form was sent. */
export async function whenShown(page: Page, text: string): Promise<void> {
  await page.getByText(text).waitFor();
  await whenLive(page);
}

/** Performs an action that loads a page, and waits until it is there: the old one may show the same texts. */
export async function whenLoaded(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent("load"), act()]);
}

/**
 * Waits until every transition and every animation with an end is over: before that, colors are on their way. A change of
 * the color scheme starts its transitions some frames later on a busy machine.
 */
export async function whenStill(page: Page): Promise<void> {
  const counted = await page.evaluateHandle(() => ({ frames: 0 }));
  await page.waitForFunction(({ counted, frames }) => {
    const isStill = document.getAnimations().every(({ playState, effect }) =>
      playState !== "running" || effect?.getComputedTiming().endTime === Infinity
    );
    counted.frames = isStill ? counted.frames + 1 : 0;
    return counted.frames === frames;
  }, { counted, frames: STILL_FRAMES }).catch((cause) => {
    throw new Error("The transitions of the page do not end.", { cause });
  });
  await counted.dispose();
}
