import assert from "node:assert/strict";
import { adminTest } from "./admin_cast.ts";

const SCRIPT = "<script>document.title = 'ran'; alert(1)</script>";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`;
const POLYGLOT = "GIF89a/*\0\0*/=1;alert(1)";

const SAVED: readonly [name: string, type: string, content: string][] = [
  ["a.html", "text/html", `<!doctype html><img src=x onerror=alert(1)>${SCRIPT}`],
  ["a.png", "text/html", SCRIPT],
  ["a.svg", "image/svg+xml", SVG],
  [
    "a.xhtml",
    "application/xhtml+xml",
    `<html xmlns="http://www.w3.org/1999/xhtml"><body>${SCRIPT}</body></html>`,
  ],
];
const SHOWN: readonly [name: string, type: string, content: string][] = [
  ["a.gif", "image/gif", POLYGLOT],
  ["a.txt", "text/plain", SCRIPT],
  ["b.png", "image/png", `<html>${SCRIPT}`],
];

adminTest(
  "uploads that contain scripts are downloaded or displayed inertly when opened with a session",
  async (cast) => {
    const { page } = await cast.visitAs("owner", "/");
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      dialog.dismiss();
    });
    const upload = async ([name, type, content]: readonly [string, string, string]): Promise<string> => {
      const file = new File([content], name, { type });
      return (await cast.call("owner", "POST /user_uploads", { file }))["url"];
    };
    for (const one of SAVED) {
      const url = await upload(one);
      const download = page.waitForEvent("download");
      // Opening a download is no navigation, which the browser reports as an error.
      await page.goto(url).catch(() => {});
      assert.equal((await download).suggestedFilename(), one[0]);
      await (await download).cancel();
    }
    for (const one of SHOWN) {
      await page.goto(await upload(one));
      assert.notEqual(await page.title(), "ran");
    }
    // The file is not embedded in a page of the site either, as its own policy would not apply.
    const svg = await upload(["b.svg", "image/svg+xml", SVG]);
    await page.goto("/");
    const answer = await page.evaluate(async (url) => {
      const image = new Image();
      const settled = new Promise((resolve) => image.onload = image.onerror = resolve);
      image.src = url;
      await settled;
      const { headers } = await fetch(url);
      return [headers.get("content-disposition"), headers.get("x-content-type-options")];
    }, svg);
    assert.deepEqual(answer, ['attachment; filename="b.svg"', "nosniff"]);
    assert.deepEqual(dialogs, []);
  },
);
