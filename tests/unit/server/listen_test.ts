import assert from "node:assert/strict";
import { listen, listenEarly } from "@/lib/server/listen.ts";
import { guard } from "@/lib/server/guard.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { RawConnection } from "@/tests/helpers/raw_http.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";

const REQUEST = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n";
const STOP_MS = 10_000;

Deno.test("stop() waits ten seconds for a body that never arrives", async () => {
  await using app = await startTestApp();
  let reads = 0;
  const clock = {
    now: () => app.clock.now(),
    monotonic() {
      reads++;
      return app.clock.monotonic();
    },
  };
  const services = { ...app.services, clock };
  const handler = guard(services, async (request) => new Response(await request.text()));
  const listener = listen(services, handler, listenEarly("127.0.0.1"));
  using slow = await RawConnection.open(listener.address);
  await slow.send(REQUEST);
  await waitFor("the request is in flight", () => services.status.inFlight === 1);

  let hasStopped = false;
  const stopping = listener.stop().then(() => hasStopped = true);
  app.clock.time += STOP_MS - 1;
  const before = reads;
  await waitFor("the time is compared with the deadline again", () => reads > before + 2);
  assert.equal(hasStopped, false);
  app.clock.time += 1;
  await settled("stop() ends", stopping);
  slow.close();
  await waitFor("the request is over", () => services.status.inFlight === 0);
});
