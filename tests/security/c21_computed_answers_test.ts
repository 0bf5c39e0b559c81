import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { measureLongestTurn } from "@/tests/helpers/event_loop.ts";

/**
 * Time for which an answer blocks the event loop, in multiples of the home page, which blocks it for 0.15 ms on two cores: no
 * answer that anyone may request takes over 2 ms. Whole durations would include the threads of the store, which wait for
 * a processor on a busy machine.
 */
const MAX_RATIO = 15;
/** Measurements of the home page before the first answer, and again with each answer. */
const BASELINE_SAMPLES = { first: 31, more: 3 } as const;
/** Measurements before an answer counts as too long, as a busy machine lengthens some of them. */
const ATTEMPTS = 155;
/** Paths whose answers anyone may request and that are computed rather than read. */
const PATHS = [
  "/docs",
  "/login",
  "/forgot-password",
  "/setup",
  "/nothing/here",
  "/admin/users",
  "/join/nothing",
  "/reset-password/nothing",
  "/stats",
  "/stats/badges/version",
  "/stats/badges/urls",
  "/stats/badges/visits",
  "/avatar/7",
  "/avatar/7/medium",
  "/api/v1/server_settings",
  "/api/v1/nothing",
  "/openapi.json",
];

/** Requests a path as a browser and reads the answer. */
async function visit({ request }: Pick<TestChat, "request">, path: string): Promise<number> {
  const response = await request(path, { headers: { accept: "text/html, application/json" } });
  await response.bytes();
  return response.status;
}

/** Measures answers in multiples of the home page of the same server. */
class AnswerTimes {
  #baseline = Infinity;

  constructor(private readonly chat: TestChat) {}

  /** Requests a path until its answer takes short enough; fails with the least ratio when none does. */
  async requireShort(path: string): Promise<void> {
    await this.#measureBaseline();
    let least = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && least >= MAX_RATIO; attempt++) {
      least = Math.min(least, await measureLongestTurn(() => visit(this.chat, path)) / this.#baseline);
    }
    assert.ok(least < MAX_RATIO, `takes ${least.toFixed(1)} times as long as the home page`);
  }

  async #measureBaseline(): Promise<void> {
    const samples = this.#baseline === Infinity ? BASELINE_SAMPLES.first : BASELINE_SAMPLES.more;
    for (let sample = 0; sample < samples; sample++) {
      this.#baseline = Math.min(this.#baseline, await measureLongestTurn(() => visit(this.chat, "/")));
    }
  }
}

Deno.test("C21: no computed answer that anyone may request takes long", async (t) => {
  await using chat = await startChat();
  await chat.shorten("https://example.com/");
  const shown = `/?short=${(await chat.shorten("https://example.org/")).slice(1)}`;
  const times = new AnswerTimes(chat);
  for (const path of [...PATHS, shown]) {
    await t.step(path.slice(0, 20), async () => {
      const status = await visit(chat, path);
      assert.ok(status < 500, `answered ${status}`);
      await times.requireShort(path);
    });
  }
});

Deno.test("C21: the QR code of a link with a long id takes no longer", async () => {
  await using chat = await startChat({ env: { SHORT_LENGTH: "60" } });
  const shown = `/?short=${(await chat.shorten("https://example.com/")).slice(1)}`;
  await new AnswerTimes(chat).requireShort(shown);
});
