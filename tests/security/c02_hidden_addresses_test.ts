import assert from "node:assert/strict";
import { assertIndistinguishable, hideAddress, NO_ADDRESS } from "@/tests/casts/hidden_accounts_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("C2: a path with a hidden address is refused like one with an unknown address", async () => {
  await using chat = await startChat();
  await hideAddress(chat, chat.admin);
  const addresses = { hidden: chat.admin.email, unknown: NO_ADDRESS };
  for (const caller of [chat.member, chat.guest, chat.bot]) {
    for (const end of ["", "/presence"]) {
      const toRequest = (address: string) => [`GET /users/${encodeURIComponent(address)}${end}`] as const;
      const refused = await assertIndistinguishable(chat, caller, { toRequest, ...addresses });
      assert.equal(refused.status, 400);
    }
  }
});
