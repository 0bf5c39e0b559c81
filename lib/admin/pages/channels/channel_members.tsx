import { chunk } from "es-toolkit/array/chunk";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { createBulkAction } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { editSubscriptions } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { listSubscriberIds, readSubscriberCount } from "@/lib/chat/channels/subscriptions/store.ts";
import { listGroupMembers } from "@/lib/chat/organization/user_groups/store.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { linesOf } from "@/lib/ui/permission_fields.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { findGroups, findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import { MemberSection } from "../member_section.tsx";
import { readPeople } from "@/lib/admin/shown_people.ts";

const PAGE_SIZE = 100;
/** Number of users that are subscribed or unsubscribed in one commit; more become a bulk action of administrators. */
const MAX_AT_ONCE = 80;

const texts = {
  addMembersHint:
    "One on each line: a name, an email address or a user ID. For all members of a group, enter @ and its name.",
  membersAdded: {
    one: "{count} person subscribed to {name}.",
    other: "{count} people subscribed to {name}.",
  },
  membersRemoved: {
    one: "{count} person removed from {name}.",
    other: "{count} people removed from {name}.",
  },
};

/**
 * Reads the page of subscribers that the URL asks for with `members`; only these are read. They are sorted by name within
 * the page, pages by the age of the accounts.
 */
export async function readSubscribersPage(request: AdminRequest, channelId: number) {
  const { chat, realm, query } = request;
  const asked = query.get("members") ?? "";
  const after = /^\d{1,15}$/.test(asked) ? Number(asked) : 0;
  const prefix = [...channelKeys.subscribers(realm.id, channelId)];
  const listing = chat.store.kv.list({ prefix, start: [...prefix, after + 1] }, { limit: PAGE_SIZE + 1 });
  const ids: number[] = [];
  for await (const { key } of listing) ids.push(Number(key.at(-1)));
  const shown = ids.slice(0, PAGE_SIZE);
  const [people, count] = await Promise.all([
    readPeople(request, shown),
    readSubscriberCount(chat, realm.id, channelId),
  ]);
  /** Id after which the next page begins; null on the last page. */
  const next = ids.length > PAGE_SIZE ? shown.at(-1) ?? null : null;
  return { people, count, isFirst: after === 0, next };
}

/** Returns the ids of the people that a field names, and of the members of its groups. */
async function readNamed(
  request: AdminRequest,
  fields: FormFields,
  name: string,
): Promise<readonly number[]> {
  const { chat, realm } = request;
  const { text, chosen } = readPeopleInput(fields, name);
  const lines = linesOf(text);
  const groupIds = await findGroups(request, lines.filter((line) => line.startsWith("@")), name);
  const people = lines.filter((line) => !line.startsWith("@")).join("\n");
  const ids = new Set((await findPeople(request, { text: people, chosen }, name)).map(({ id }) => id));
  for (const groupId of groupIds) {
    await yieldToEventLoop();
    for (const { id } of await listGroupMembers(chat, realm, { groupId, isDirectOnly: false })) ids.add(id);
  }
  return [...ids];
}

async function readSubscribed(request: AdminRequest): Promise<ReadonlySet<number>> {
  return new Set(await listSubscriberIds(request.chat, request.realm.id, pathId(request)));
}

async function change(
  request: AdminRequest,
  kind: "subscribe" | "unsubscribe",
  ids: readonly number[],
): Promise<Done> {
  const { ctx, chat, realm, user, caller, t } = request;
  const channelId = pathId(request);
  if (ids.length > MAX_AT_ONCE && isAdmin(user)) {
    const action = await createBulkAction(chat, caller, {
      change: { kind, channel_id: channelId },
      items: ids,
    });
    return { flash: request.t("Bulk action started."), to: `/admin/bulk-actions/${action.id}` };
  }
  const channel = await chat.reads.read<ChannelRecord>(channelKeys.channel(realm.id, channelId));
  const channels = [{ name: channel?.name ?? "" }];
  const edit = kind === "subscribe" ? { add: channels } : { remove: channels };
  for (const principals of chunk(ids, MAX_AT_ONCE)) {
    await editSubscriptions(chat, caller, { ...edit, principals });
  }
  const phrase = kind === "subscribe" ? texts.membersAdded : texts.membersRemoved;
  // The next people can be entered at once.
  const to = `${ctx.url.pathname}${ctx.url.search}#members`;
  return { flash: t(phrase, { count: ids.length, name: channel?.name ?? "" }), to };
}

/** Subscribes the people and the members of the groups that it names; skips subscribers. */
const addMembers = form({
  action: "add_members",
  run: async (request, _, submitted) => {
    const named = await readNamed(request, submitted, "members");
    if (named.length === 0) {
      throw new FormRefusal({ members: request.t("Enter at least one person or group.") });
    }
    const subscribed = await readSubscribed(request);
    const ids = named.filter((id) => !subscribed.has(id));
    if (ids.length === 0) {
      throw new FormRefusal({ members: request.t("All of these people are already subscribed.") });
    }
    return await change(request, "subscribe", ids);
  },
});

/** Unsubscribes the users that it selects or names. */
const removeMembers = form({
  action: "remove_members",
  run: async (request, _, submitted) => {
    const named = await readNamed(request, submitted, "others");
    const subscribed = await readSubscribed(request);
    // A subscriber whom another administrator removed meanwhile needs no removal.
    const ids = [...new Set([...submitted.ints("member"), ...named])].filter((id) => subscribed.has(id));
    if (ids.length === 0) {
      throw new FormRefusal({ form: request.t("Select or enter at least one subscriber.") });
    }
    return await change(request, "unsubscribe", ids);
  },
});

export const memberForms = [addMembers, removeMembers];

interface ChannelMembersProps {
  readonly channel: ChannelRecord;
  readonly members: Awaited<ReturnType<typeof readSubscribersPage>>;
  /** Name of the user who created the channel; null when unknown. */
  readonly madeBy: string | null;
}

/** Renders a channel's subscribers: a field that adds people and groups, and checkboxes that remove subscribers. */
export function ChannelMembers({ channel, members, madeBy }: ChannelMembersProps) {
  const { t, formatter } = useAdmin();
  const { id, is_archived, date_created } = channel;
  const { people, count, isFirst, next } = members;
  const date = formatter.date(date_created);
  const toPath = (query: string) => `/admin/channels/${id}${query}`;
  const label = t("Add subscribers");
  return (
    <section aria-labelledby="subscribers-title">
      <MemberSection
        title={t("Subscribers")}
        id="subscribers-title"
        empty={t("No subscribers.")}
        people={people}
        pages={isFirst && next === null ? null : {
          range: t("{shown} of {count}", { shown: people.length, count }),
          previous: isFirst ? null : toPath(""),
          next: next === null ? null : toPath(`?members=${next}`),
        }}
        add={is_archived ? null : {
          ...{ action: addMembers.action, name: "members", label, button: label },
          hint: t(texts.addMembersHint),
        }}
        remove={is_archived ? null : {
          ...{ action: removeMembers.action, name: "others", label: t("Remove others") },
          button: t("Remove selected subscribers"),
        }}
        takesGroups
      />
      <p class="mt-6 text-small text-soft">
        {madeBy === null
          ? t("Created on {date}", { date })
          : t("Created by {name} on {date}", { name: madeBy, date })}
      </p>
    </section>
  );
}
