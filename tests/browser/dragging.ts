import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";

/** A pointing device that presses at a point of the page, moves and releases. */
export interface Pointer {
  press(at: Point): Promise<void>;
  move(to: Point): Promise<void>;
  release(): Promise<void>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels by which a drag begins. */
const START_PX = 8;

/** Returns the mouse of a page. */
export function mouseOf({ mouse }: Page): Pointer {
  return {
    press: async ({ x, y }) => {
      await mouse.move(x, y);
      await mouse.down();
    },
    move: ({ x, y }) => mouse.move(x, y),
    release: () => mouse.up(),
  };
}

/** Returns a finger on a page, whose context needs `hasTouch`; the browser itself makes the events. */
export async function fingerOf(page: Page): Promise<Pointer> {
  const devtools = await page.context().newCDPSession(page);
  const send = async (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) => {
    await devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  return {
    press: (at) => send("touchStart", [at]),
    move: (to) => send("touchMove", [to]),
    release: () => send("touchEnd", []),
  };
}

/** Presses the drag handle in an element and moves it onto the middle of another one. */
export async function dragOnto(pointer: Pointer, dragged: Locator, target: Locator): Promise<void> {
  const handle = dragged.locator("[data-handle]");
  // Handles appear once the rows can be dragged.
  await handle.waitFor();
  // A press that hits a link, because a font or an island moves the page, would leave it.
  await whenLive(handle.page());
  // Near the edge of the screen, the page would scroll and take the row further.
  await handle.evaluate((element) => element.scrollIntoView({ block: "center" }));
  let start = await centerOf(handle);
  // A page that still changes may move the handle away before the press.
  await waitForState(async () => {
    start = await centerOf(handle);
    await pointer.press(start);
    const isTaken = await handle.evaluate((element) => element.closest("[data-held]") !== null);
    if (!isTaken) await pointer.release();
    return isTaken;
  }, true);
  const end = await centerOf(target);
  await pointer.move({ x: start.x, y: start.y + START_PX });
  // The copy that follows the pointer appears in a task of its own, and moves before that count for nothing.
  await handle.page().locator(".drag-copy").waitFor({ state: "attached" });
  await pointer.move({ x: start.x, y: end.y });
}

/** Returns the middle of an element on the screen. */
export async function centerOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  assert.ok(box !== null, `${element} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
