import type { Heard } from "@/tests/api/chat/events_cast.ts";

/** What is true of the moment of a registration alone, or told by other means than events. */
const MOMENTARY = [
  ...["queue_id", "last_event_id", "result", "msg", "max_message_id"],
  ...["presences", "server_timestamp", "presence_last_update_id"],
  // These are compared apart.
  ...["unread_msgs", "starred_messages", "recent_private_conversations"],
  // The old list of muted topics names channels as they were called when it was told.
  "muted_topics",
];
/** The order of lists that are in no order of their own. */
const SORTED_BY: Readonly<Record<string, string>> = {
  realm_users: "user_id",
  realm_non_active_users: "user_id",
  realm_bots: "user_id",
  streams: "stream_id",
  subscriptions: "stream_id",
  never_subscribed: "stream_id",
  channel_folders: "order",
  realm_user_groups: "id",
  drafts: "id",
};

/** Applies an event of a list, or of what is small, to the state of a registration. */
export function applyList(state: Heard, event: Heard): void {
  switch (event.type) {
    case "realm_domains":
      return applyDomains(state, event);
    case "channel_folder":
      return applyFolders(state, event);
    case "user_topic": {
      const { type: _, id: _id, ...topic } = event;
      const others = state.user_topics.filter((one: Heard) => topicKey(one) !== topicKey(topic));
      state["user_topics"] = topic["visibility_policy"] === 0 ? others : [...others, topic];
      return;
    }
    case "saved_snippets":
      return applySnippets(state, event);
    case "user_status":
      return applyStatus(state, event);
    case "device":
      return applyDevices(state, event);
    case "drafts":
      return applyDrafts(state, event);
    case "realm_emoji":
      state["realm_emoji"] = event["realm_emoji"];
      return;
  }
}

function applyDomains(state: Heard, { op, realm_domain, domain }: Heard): void {
  const list: Heard[] = state.realm_domains;
  if (op === "add") list.push(realm_domain);
  if (op === "remove") state["realm_domains"] = list.filter((one) => one.domain !== domain);
  if (op !== "change") return;
  state["realm_domains"] = list.map((one) => one.domain === realm_domain.domain ? realm_domain : one);
}

function applyFolders(state: Heard, { op, channel_folder, channel_folder_id, data, order }: Heard): void {
  const list: Heard[] = state.channel_folders;
  if (op === "add") list.push(channel_folder);
  for (const folder of list) {
    if (op === "update" && folder.id === channel_folder_id) Object.assign(folder, data);
    if (op === "reorder") folder["order"] = order.indexOf(folder.id);
  }
}

function applySnippets(state: Heard, { op, saved_snippet, saved_snippet_id }: Heard): void {
  const list: Heard[] = state.saved_snippets;
  if (op === "add") list.push(saved_snippet);
  if (op === "update") {
    state["saved_snippets"] = list.map((one) => one.id === saved_snippet.id ? saved_snippet : one);
  }
  if (op === "remove") state["saved_snippets"] = list.filter(({ id }) => id !== saved_snippet_id);
}

function applyDrafts(state: Heard, { op, drafts, draft, draft_id }: Heard): void {
  const changed: Heard[] = op === "add" ? drafts : op === "update" ? [draft] : [];
  const gone = new Set([draft_id, ...changed.map(({ id }) => id)]);
  state["drafts"] = [...state.drafts.filter(({ id }: Heard) => !gone.has(id)), ...changed];
}

/** Empty parts say nothing. */
function applyStatus(state: Heard, { type: _, id: _id, user_id, ...changes }: Heard): void {
  const status: Heard = { ...state.user_status[user_id], ...changes };
  if (status.emoji_name === "") {
    for (const part of ["emoji_name", "emoji_code", "reaction_type"]) delete status[part];
  }
  if (status.status_text === "") delete status["status_text"];
  if (status.away === false) delete status["away"];
  if (Object.keys(status).length === 0) delete state.user_status[user_id];
  else state.user_status[user_id] = status;
}

function applyDevices(state: Heard, { op, type: _, id: _id, device_id, ...news }: Heard): void {
  const fresh = {
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  };
  if (op === "remove") delete state.devices[device_id];
  else state.devices[device_id] = { ...(op === "add" ? fresh : state.devices[device_id]), ...news };
}

/** Applies an event of something with an id to all that are known. */
export function applyTo(known: Map<number, Heard>, op: string, id: number, news: Heard): void {
  if (op === "add") known.set(id, news);
  if (op === "update") Object.assign(known.get(id) ?? {}, news);
  if (op === "delete" || op === "remove") known.delete(id);
}

/** A registration without what is true of its moment alone, with its lists in one order. */
export function sorted(state: Heard): Heard {
  const rest = leave(state, MOMENTARY);
  for (const [name, by] of Object.entries(SORTED_BY)) {
    rest[name] = rest[name].toSorted((one: Heard, other: Heard) => one[by] - other[by]);
  }
  rest["realm_user_groups"] = rest.realm_user_groups.map((group: Heard) => ({
    ...group,
    members: union(group.members, []),
  }));
  rest["user_topics"] = rest.user_topics.toSorted((one: Heard, other: Heard) =>
    topicKey(one) < topicKey(other) ? -1 : 1
  );
  return rest;
}

function topicKey({ stream_id, topic_name }: Heard): string {
  return `${stream_id} ${topic_name.toLowerCase()}`;
}

/** Some members of a record. */
export function pick(record: Heard, names: readonly string[]): Heard {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** All members of a record but some. */
export function leave(record: Heard, names: readonly string[]): Heard {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Both lists of ids, each id once, ascending. */
export function union(ids: readonly number[], added: readonly number[]): number[] {
  return [...new Set([...ids, ...added])].sort((one, other) => one - other);
}

/** A list of ids without some. */
export function without(ids: readonly number[], removed: readonly number[]): number[] {
  return ids.filter((id) => !removed.includes(id));
}
