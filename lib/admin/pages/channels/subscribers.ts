import { chunk } from "es-toolkit/array/chunk";
import { createBulkAction } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { editSubscriptions } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { GONE } from "@/lib/ui/texts.ts";
import { pathId } from "@/lib/admin/admin_request.ts";
import { readVisibleChannel } from "@/lib/admin/shown_people.ts";
import { declareMembers } from "../members.tsx";

/** Number of users that are subscribed or unsubscribed in one commit; more become a bulk action of administrators. */
const MAX_AT_ONCE = 80;

/** The subscribers of the channel in the path. */
export const subscribers = declareMembers({
  noun: "members",
  texts: {
    title: "Subscribers",
    range: { one: "{from} of {count} subscriber", other: "{from}–{to} of {count} subscribers" },
    empty: "No subscribers.",
    add: "Add subscribers",
    remove: "Remove selected subscribers",
    added: { one: "{count} person subscribed to {name}.", other: "{count} people subscribed to {name}." },
    nobodyNamed: "Enter at least one person or group.",
    nobodyNew: "All of these people are already subscribed.",
    nobodySelected: "Select or enter at least one subscriber.",
  },
  takesGroups: true,
  hasImpact: false,
  read: async (request) => {
    const { chat, realm, t } = request;
    const id = pathId(request);
    const found = await readVisibleChannel(request, id);
    if (found === null) throw new AppError("NOT_FOUND", t(GONE));
    return { name: found.channel.name, members: await listSubscriberIds(chat, realm.id, id) };
  },
  change: async (request, { kind, ids, name }) => {
    const { chat, user, caller, t } = request;
    if (ids.length > MAX_AT_ONCE && isAdmin(user)) {
      const bulkKind = kind === "add" ? "subscribe" : "unsubscribe";
      const change = { kind: bulkKind, channel_id: pathId(request) } as const;
      const { id } = await createBulkAction(chat, caller, { change, items: ids });
      return { flash: t("Bulk action started."), to: `/admin/bulk-actions/${id}` };
    }
    for (const principals of chunk(ids, MAX_AT_ONCE)) {
      await editSubscriptions(chat, caller, { [kind]: [{ name }], principals });
    }
  },
});
