import { chromium, type Page } from "playwright-core";
import { chromiumPath, hasChromium } from "../helpers/chromium.ts";
import type { TestServer } from "../helpers/server.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";

const VISITS = 5;
const AIM = "< 1,000 ms";

/** When a browser has painted the largest thing of each page, in milliseconds after it was asked for; nothing without one. */
export async function measurePaints(
  server: TestServer,
  { cookie, paths }: { cookie: string; paths: readonly string[] },
): Promise<Row[]> {
  if (!hasChromium()) {
    printLine("There is no browser here: when pages are painted is not measured.");
    return [];
  }
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const context = await browser.newContext({ baseURL: server.url, extraHTTPHeaders: { cookie } });
    const page = await context.newPage();
    const rows: Row[] = [];
    for (const path of paths) {
      printLine(`painting: ${path} …`);
      const times: number[] = [];
      for (let at = 0; at < VISITS; at++) times.push(await paintOf(page, path));
      times.sort((one, other) => one - other);
      const toMs = (time: number | undefined) => `${(time ?? NaN).toFixed(0)} ms`;
      const row = toPlainRow(`${path}: largest paint`, `at most ${toMs(times.at(-1))}`, AIM);
      rows.push({ ...row, median: toMs(times[Math.floor(VISITS / 2)]) });
    }
    return rows;
  } finally {
    await browser.close();
  }
}

async function paintOf(page: Page, path: string): Promise<number> {
  const response = await page.goto(path, { waitUntil: "load" });
  if (response?.status() !== 200) throw new Error(`${path} answers ${response?.status()}`);
  return await page.evaluate(() =>
    new Promise<number>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? NaN))
        .observe({ type: "largest-contentful-paint", buffered: true });
    })
  );
}
