import { createBulkAction } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { editSubscriptions } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { listSubscriberIds, readSubscriberCount } from "@/lib/chat/channels/subscriptions/store.ts";
import { listGroupMembers } from "@/lib/chat/user_groups/store.ts";
import { linesOf } from "@/lib/ui/permission_fields.ts";
import { type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findGroups, findPeople, readPeopleInput } from "../people/find_people.ts";
import { readShownPeople, type ShownPerson } from "../shown_people.ts";

/** Number of subscribers on a page. */
const PAGE_SIZE = 100;
/** Number of users that are subscribed or unsubscribed in one commit; more become a bulk action. */
const MAX_AT_ONCE = 80;

/** A page of a channel's subscribers: sorted by name within the page, pages by the age of the accounts. */
export interface SubscribersPage {
  readonly people: readonly ShownPerson[];
  /** Number of subscribers of the channel. */
  readonly count: number;
  readonly isFirst: boolean;
  /** Id after which the next page begins; null on the last page. */
  readonly next: number | null;
}

/** Reads the page of subscribers that the URL asks for with `members`; only these are read. */
export async function readSubscribersPage(
  request: AdminRequest,
  channelId: number,
): Promise<SubscribersPage> {
  const { chat, realm, query } = request;
  const asked = query.get("members") ?? "";
  const after = /^\d{1,15}$/.test(asked) ? Number(asked) : 0;
  const prefix = [...channelKeys.subscribers(realm.id, channelId)];
  const listing = chat.store.kv.list({ prefix, start: [...prefix, after + 1] }, { limit: PAGE_SIZE + 1 });
  const ids: number[] = [];
  for await (const { key } of listing) ids.push(Number(key.at(-1)));
  const shown = ids.slice(0, PAGE_SIZE);
  const [people, count] = await Promise.all([
    readShownPeople(request, shown),
    readSubscriberCount(chat, realm.id, channelId),
  ]);
  return { people, count, isFirst: after === 0, next: ids.length > PAGE_SIZE ? shown.at(-1) ?? null : null };
}

/** Subscribes the people and the members of the groups that a form names; skips subscribers. */
export async function addMembers(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { messages } = request;
  const named = await readNamed(request, fields, "members");
  if (named.length === 0) throw new FormRefusal({ members: messages.channels.membersMissing });
  const subscribed = await readSubscribed(request);
  const ids = named.filter((id) => !subscribed.has(id));
  if (ids.length === 0) throw new FormRefusal({ members: messages.channels.membersKnown });
  return await change(request, "subscribe", ids);
}

/** Unsubscribes the users that a form selects or names. */
export async function removeMembers(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { messages } = request;
  const named = await readNamed(request, fields, "others");
  const subscribed = await readSubscribed(request);
  // A subscriber whom another administrator removed meanwhile needs no removal.
  const ids = [...new Set([...fields.ints("member"), ...named])].filter((id) => subscribed.has(id));
  if (ids.length === 0) throw new FormRefusal({ form: messages.channels.selectionMissing });
  return await change(request, "unsubscribe", ids);
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
  const found = [...await findPeople(request, { text: people, chosen }, name)];
  for (const groupId of groupIds) {
    found.push(...await listGroupMembers(chat, realm, { groupId, isDirectOnly: false }));
  }
  return [...new Set(found.map(({ id }) => id))];
}

async function readSubscribed(request: AdminRequest): Promise<ReadonlySet<number>> {
  return new Set(await listSubscriberIds(request.chat, request.realm.id, pathId(request)));
}

async function change(
  request: AdminRequest,
  kind: "subscribe" | "unsubscribe",
  ids: readonly number[],
): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const channelId = pathId(request);
  if (ids.length > MAX_AT_ONCE) {
    const action = await createBulkAction(chat, caller, {
      change: { kind, channel_id: channelId },
      items: ids,
    });
    return { flash: messages.bulkActions.started, to: `/admin/bulk-actions/${action.id}` };
  }
  const channel = await chat.reads.read<ChannelRecord>(channelKeys.channel(realm.id, channelId));
  const channels = [{ name: channel?.name ?? "" }];
  await editSubscriptions(chat, caller, {
    ...(kind === "subscribe" ? { add: channels } : { remove: channels }),
    principals: ids,
  });
  const phrase = kind === "subscribe" ? messages.channels.membersAdded : messages.channels.membersRemoved;
  return { flash: formatter.t(phrase, { count: ids.length, name: channel?.name ?? "" }) };
}
