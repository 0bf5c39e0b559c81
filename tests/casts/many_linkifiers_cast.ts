import { chunk } from "es-toolkit/array/chunk";
import {
  importLinkifiers,
  MAX_IMPORTED_LINKIFIERS,
} from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { linkifierFields } from "@/tests/casts/linkifiers_cast.ts";
import { callerOf } from "@/tests/casts/user_groups_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

/** Creates linkifiers that take long to search, each for the texts that have one number. */
export async function createCostlyLinkifiers(chat: TestChat, count: number): Promise<void> {
  const caller = await callerOf(chat, chat.owner);
  const all = Array.from(
    { length: count },
    (_, at) => linkifierFields(`(?P<a>.?)(?P<b>.?)(?P<c>.?)${at}z`, "https://x.example/{a}{b}{c}"),
  );
  for (const part of chunk(all, MAX_IMPORTED_LINKIFIERS)) {
    await importLinkifiers(chat.services.chat, caller, part);
  }
}
