import { sendDirect } from "@/tests/casts/messages_cast.ts";
import { inSeconds, schedule } from "@/tests/casts/scheduled_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import type { MatrixOrganization } from "./organization.ts";
import { createForEach } from "./personal.ts";

/** Creates scheduled messages and reminders. */
export async function createScheduled(org: MatrixOrganization) {
  const { chat } = org;
  return {
    scheduled: await createForEach(
      org,
      "scheduled",
      async (user, content) => await schedule(chat, user, { type: "direct", to: [user.id], content }),
    ),
    reminder: await createForEach(org, "reminder", async (user, note) => {
      const message_id = await sendDirect(chat, user, [user], "to remember");
      const scheduled_delivery_timestamp = inSeconds(chat, 3600);
      const sent = { message_id, scheduled_delivery_timestamp, note };
      return (await succeed(chat, user, "POST /reminders", sent)).reminder_id;
    }),
  };
}
