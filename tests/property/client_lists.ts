import type { JsonRecord } from "./client_stage.ts";

/** Fields that are valid only at registration, or kept up to date by other means than events. */
const MOMENTARY = [
  ...["queue_id", "last_event_id", "result", "msg", "max_message_id"],
  ...["presences", "server_timestamp", "presence_last_update_id"],
  // These are compared separately.
  ...["unread_msgs", "starred_messages", "recent_private_conversations"],
  // The older list of muted topics contains the names of channels at that time.
  "muted_topics",
];
/** Fields by which lists without an order are sorted. */
const SORTED_BY: Readonly<Record<string, string>> = {
  realm_users: "user_id",
  realm_non_active_users: "user_id",
  realm_bots: "user_id",
  streams: "stream_id",
  subscriptions: "stream_id",
  never_subscribed: "stream_id",
  unsubscribed: "stream_id",
  channel_folders: "order",
  realm_user_groups: "id",
  drafts: "id",
  scheduled_messages: "scheduled_message_id",
  reminders: "reminder_id",
};

/** Applies an event of a list, or of a small field, to the state of a registration. */
export function applyList(state: JsonRecord, event: JsonRecord): void {
  switch (event.type) {
    case "realm_domains":
      return applyDomains(state, event);
    case "channel_folder":
      return applyFolders(state, event);
    case "user_topic": {
      const { type: _, id: _id, ...topic } = event;
      const others = state.user_topics.filter((one: JsonRecord) => topicKey(one) !== topicKey(topic));
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
    case "realm_user_settings_defaults":
      state["realm_user_settings_defaults"][event["property"]] = event["value"];
      return;
    case "alert_words":
      state["alert_words"] = event["alert_words"];
      return;
    case "scheduled_messages":
      return applyScheduledMessages(state, event);
    case "navigation_view":
      return applyNavigationViews(state, event);
    case "reminders":
      return applyReminders(state, event);
    case "realm_emoji":
      state["realm_emoji"] = event["realm_emoji"];
      return;
  }
}

function applyDomains(state: JsonRecord, { op, realm_domain, domain }: JsonRecord): void {
  const list: JsonRecord[] = state.realm_domains;
  if (op === "add") list.push(realm_domain);
  if (op === "remove") state["realm_domains"] = list.filter((one) => one.domain !== domain);
  if (op !== "change") return;
  state["realm_domains"] = list.map((one) => one.domain === realm_domain.domain ? realm_domain : one);
}

function applyFolders(
  state: JsonRecord,
  { op, channel_folder, channel_folder_id, data, order }: JsonRecord,
): void {
  const list: JsonRecord[] = state.channel_folders;
  if (op === "add") list.push(channel_folder);
  for (const folder of list) {
    if (op === "update" && folder.id === channel_folder_id) Object.assign(folder, data);
    if (op === "reorder") folder["order"] = order.indexOf(folder.id);
  }
}

function applySnippets(state: JsonRecord, { op, saved_snippet, saved_snippet_id }: JsonRecord): void {
  const list: JsonRecord[] = state.saved_snippets;
  if (op === "add") list.push(saved_snippet);
  if (op === "update") {
    state["saved_snippets"] = list.map((one) => one.id === saved_snippet.id ? saved_snippet : one);
  }
  if (op === "remove") state["saved_snippets"] = list.filter(({ id }) => id !== saved_snippet_id);
}

function applyDrafts(state: JsonRecord, { op, drafts, draft, draft_id }: JsonRecord): void {
  const changed: JsonRecord[] = op === "add" ? drafts : op === "update" ? [draft] : [];
  const gone = new Set([draft_id, ...changed.map(({ id }) => id)]);
  state["drafts"] = [...state.drafts.filter(({ id }: JsonRecord) => !gone.has(id)), ...changed];
}

function applyScheduledMessages(state: JsonRecord, event: JsonRecord): void {
  const { op, scheduled_messages, scheduled_message, scheduled_message_id } = event;
  const changed: JsonRecord[] = op === "add"
    ? scheduled_messages
    : op === "update"
    ? [scheduled_message]
    : [];
  const gone = new Set([scheduled_message_id, ...changed.map((one) => one.scheduled_message_id)]);
  const others = state.scheduled_messages.filter((one: JsonRecord) => !gone.has(one.scheduled_message_id));
  state["scheduled_messages"] = [...others, ...changed];
}

function applyReminders(state: JsonRecord, { op, reminders, reminder_id }: JsonRecord): void {
  if (op === "add") state.reminders.push(...reminders);
  else state["reminders"] = state.reminders.filter((one: JsonRecord) => one.reminder_id !== reminder_id);
}

function applyNavigationViews(state: JsonRecord, { op, navigation_view, fragment, data }: JsonRecord): void {
  const list: JsonRecord[] = state.navigation_views;
  if (op === "add") list.push(navigation_view);
  if (op === "update") Object.assign(list.find((view) => view.fragment === fragment) ?? {}, data);
  if (op === "remove") state["navigation_views"] = list.filter((view) => view.fragment !== fragment);
}

/** Empty fields are omitted. */
function applyStatus(state: JsonRecord, { type: _, id: _id, user_id, ...changes }: JsonRecord): void {
  const status: JsonRecord = { ...state.user_status[user_id], ...changes };
  if (status.emoji_name === "") {
    for (const part of ["emoji_name", "emoji_code", "reaction_type"]) delete status[part];
  }
  if (status.status_text === "") delete status["status_text"];
  if (status.away === false) delete status["away"];
  if (Object.keys(status).length === 0) delete state.user_status[user_id];
  else state.user_status[user_id] = status;
}

function applyDevices(state: JsonRecord, { op, type: _, id: _id, device_id, ...changes }: JsonRecord): void {
  const fresh = {
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  };
  if (op === "remove") delete state.devices[device_id];
  else state.devices[device_id] = { ...(op === "add" ? fresh : state.devices[device_id]), ...changes };
}

/** Applies an event about a record with an id to all known records. */
export function applyTo(known: Map<number, JsonRecord>, op: string, id: number, changes: JsonRecord): void {
  if (op === "add") known.set(id, changes);
  if (op === "update") Object.assign(known.get(id) ?? {}, changes);
  if (op === "delete" || op === "remove") known.delete(id);
}

/** Returns a registration without its momentary fields, with its lists sorted. */
export function sorted(state: JsonRecord): JsonRecord {
  const rest = leave(state, MOMENTARY);
  for (const [name, by] of Object.entries(SORTED_BY)) {
    rest[name] = rest[name].toSorted((one: JsonRecord, other: JsonRecord) => one[by] - other[by]);
  }
  rest["realm_user_groups"] = rest.realm_user_groups.map((group: JsonRecord) => ({
    ...group,
    members: union(group.members, []),
  }));
  rest["user_topics"] = rest.user_topics.toSorted((one: JsonRecord, other: JsonRecord) =>
    topicKey(one) < topicKey(other) ? -1 : 1
  );
  return rest;
}

function topicKey({ stream_id, topic_name }: JsonRecord): string {
  return `${stream_id} ${topic_name.toLowerCase()}`;
}

/** Returns a record with only some fields. */
export function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** Returns a record without some fields. */
export function leave(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Returns the ids of both lists, ascending, without repetition. */
export function union(ids: readonly number[], added: readonly number[]): number[] {
  return [...new Set([...ids, ...added])].sort((one, other) => one - other);
}

/** Returns a list of ids without some. */
export function without(ids: readonly number[], removed: readonly number[]): number[] {
  return ids.filter((id) => !removed.includes(id));
}
