import { createChatApp } from "@/lib/chat/create_app.ts";
import { createRealm } from "@/lib/chat/organizations/create.ts";
import { openSottoStore } from "@/lib/kv/sotto_store.ts";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { basic } from "@/tests/helpers/chat.ts";
const folder = await Deno.makeTempDir();
const store = await openSottoStore(`${folder}/sotto.kv`);
const chat = createChatApp({
  store,
  clock: systemClock,
  config: readConfig({}),
  passwords: createPasswordHasher(),
  secretKey: new Uint8Array(32),
  pokeMailer() {},
});
await createRealm(chat, {
  name: "T",
  subdomain: "",
  ownerEmail: "owner@example.com",
  ownerName: "O",
  ownerPassword: "a quiet garden wall",
});
store[Symbol.dispose]();
{
  await using server = await TestServer.start({ folder, isLogKept: false });
  const ask = async (name: string) => {
    const t = performance.now();
    const r = await server.fetch("/api/v1/users/me", {
      headers: { authorization: basic(name, "x".repeat(32)) },
    });
    await r.arrayBuffer();
    if (r.status !== 401) throw r.status;
    return performance.now() - t;
  };
  for (let i = 0; i < 500; i++) {
    await ask("owner@example.com");
    await ask("nobody@example.com");
  }
  const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]!;
  for (let round = 0; round < 6; round++) {
    const a: number[] = [], b: number[] = [];
    for (let i = 0; i < 2000; i++) {
      if (i % 2) {
        a.push(await ask("owner@example.com"));
        b.push(await ask("nobody@example.com"));
      } else {
        b.push(await ask("nobody@example.com"));
        a.push(await ask("owner@example.com"));
      }
    }
    const all = [...a.map((v) => [v, 0]), ...b.map((v) => [v, 1])].sort((x, y) => x[0]! - y[0]!);
    let ra = 0;
    all.forEach(([, w], i) => {
      if (w === 0) ra += i + 1;
    });
    const n = 2000, u = ra - n * (n + 1) / 2;
    const z = (u - n * n / 2) / Math.sqrt(n * n * (2 * n + 1) / 12);
    console.log(
      "known",
      med(a).toFixed(4),
      "unknown",
      med(b).toFixed(4),
      "z",
      z.toFixed(2),
      "P(known>unknown)",
      (u / n / n).toFixed(3),
    );
  }
}
await Deno.remove(folder, { recursive: true });
