import assert from "node:assert/strict";
import { requireConsistentPrivacy } from "@/lib/chat/organization/channels/model/access.ts";

Deno.test("requireConsistentPrivacy() accepts the four kinds of channels, and no private default channels", () => {
  const flags = [true, false];
  const possible: string[] = [];
  for (const invite_only of flags) {
    for (const is_web_public of flags) {
      for (const history_public_to_subscribers of flags) {
        for (const isDefault of flags) {
          const privacy = { invite_only, is_web_public, history_public_to_subscribers };
          try {
            requireConsistentPrivacy(privacy, { isDefault });
            possible.push(
              [invite_only, is_web_public, history_public_to_subscribers, isDefault].map(Number).join(""),
            );
          } catch (error) {
            assert.match(String(error), /Invalid parameters|A default channel cannot be private\./);
          }
        }
      }
    }
  }
  assert.deepEqual(possible.sort(), ["0010", "0011", "0110", "0111", "1000", "1010"]);
});
