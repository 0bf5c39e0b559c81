import { readKeyUseDay } from "@/lib/chat/auth/api_keys.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { DAY_MS } from "@/lib/core/days.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Returns a sentence about the latest use of an account's API key. */
export async function describeKeyUse(
  { chat, realm, messages: { users: text }, formatter }: AdminRequest,
  user: UserRecord,
): Promise<string> {
  const day = await readKeyUseDay(chat, realm.id, user);
  if (day === null) return text.keyUnused;
  // The recorded day is one of UTC, whatever the time zone of the viewer.
  const utc = createFormatter({ language: formatter.language, timeZone: "" });
  return formatter.t(text.keyUsed, { date: utc.date(day * DAY_MS) });
}
