import { Tail } from "@/lib/chat/register/events/tail.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { transact } from "@/lib/store/transact.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { settled } from "@/tests/helpers/wait.ts";

/** Duration of a slow read: hours, a multiple of which no test waits for. */
const SLOW_MS = 20_000_000;

Deno.test("wait() resolves soon after a slow read of the counter of events", async () => {
  await using app = await startTestApp();
  const { clock, services: { chat, store } } = app;
  using tail = new Tail(chat, 1);
  await tail.settle();
  const get = store.kv.get.bind(store.kv);
  const slowly = (...args: Parameters<typeof get>) => {
    clock.time += SLOW_MS;
    return get(...args);
  };
  Object.assign(store.kv, { get: slowly });
  clock.time += 1000;
  await tail.settle();
  const woken = tail.wait(tail.head, new AbortController().signal);
  await transact(store, (tx) => {
    sendEvent(tx, { realmId: 1, now: clock.time }, { event: { type: "test" }, audience: [1] });
    return Promise.resolve();
  });
  await settled("the request is woken", woken);
});
