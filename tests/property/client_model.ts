import { partition } from "es-toolkit/array/partition";
import { applyList, applyTo, leave, pick, sorted, union, without } from "./client_lists.ts";
import { MessageModel, toMessageState } from "./client_messages.ts";
import type { JsonRecord } from "./client_stage.ts";

/** Fields of a subscription that are the subscriber's; the others belong to the channel. */
const PERSONAL_FIELDS = [
  ...["color", "is_muted", "in_home_view", "pin_to_top", "desktop_notifications", "audible_notifications"],
  ...["push_notifications", "email_notifications", "wildcard_mentions_notify", "email_address"],
];
const ADMIN_ROLE = 200;
const GUEST_ROLE = 600;

/** A client that knows the initial state of a registration and applies the events since. */
export class ClientModel {
  readonly #state: JsonRecord;
  readonly #users = new Map<number, JsonRecord>();
  readonly #bots = new Map<number, JsonRecord>();
  readonly #channels = new Map<number, JsonRecord>();
  readonly #subscriptions = new Map<number, JsonRecord>();
  /** Settings of the channels that the account left. */
  readonly #left = new Map<number, JsonRecord>();
  /** Channels that became visible since registration: the client does not know whether the account left them before. */
  readonly #revealed = new Set<number>();
  /** Subscribers whose ids the client received, by channel. */
  readonly #subscribers = new Map<number, Set<number>>();
  readonly #groups = new Map<number, JsonRecord>();
  /** State of messages. */
  readonly messages: MessageModel;

  constructor(registered: JsonRecord) {
    const state = structuredClone(registered);
    this.#state = state;
    this.messages = new MessageModel(state);
    const users: JsonRecord[] = [...state.realm_users, ...state.realm_non_active_users];
    for (const user of users) this.#users.set(user.user_id, user);
    for (const bot of state.realm_bots) this.#bots.set(bot.user_id, bot);
    for (const group of state.realm_user_groups) this.#groups.set(group.id, group);
    for (const channel of state.streams) this.#channels.set(channel.stream_id, channel);
    for (const own of state.subscriptions) this.#subscriptions.set(own.stream_id, pick(own, PERSONAL_FIELDS));
    for (const left of state.unsubscribed) this.#left.set(left.stream_id, pick(left, PERSONAL_FIELDS));
  }

  /** Id of the client's account. */
  get userId(): number {
    return this.#state.user_id;
  }

  /** Applies an event. */
  apply(event: JsonRecord): void {
    const state = this.#state;
    this.messages.apply(event);
    switch (event.type) {
      case "realm":
        for (const [name, value] of Object.entries(event.data)) state[`realm_${name}`] = value;
        return;
      case "realm_user":
        return this.#applyUser(event);
      case "realm_bot":
        return applyTo(this.#bots, event.op, event.bot.user_id, event.bot);
      case "user_group":
        return this.#applyGroup(event);
      case "stream":
        return this.#applyChannel(event);
      case "subscription":
        return this.#applySubscription(event);
      case "default_streams":
        state.realm_default_streams = event.default_streams;
        return;
      case "muted_users":
        state.muted_users = event.muted_users;
        return;
      case "realm_linkifiers":
        state.realm_linkifiers = event.realm_linkifiers;
        return;
      case "realm_playgrounds":
        state.realm_playgrounds = event.realm_playgrounds;
        return;
      case "custom_profile_fields":
        state.custom_profile_fields = event.fields;
        return this.#removeValues();
      case "user_settings":
        state.user_settings[event.property] = event.value;
        return;
      default:
        applyList(state, event);
    }
  }

  #applyUser({ op, person }: JsonRecord): void {
    const state = this.#state;
    if (op === "add") {
      this.#users.set(person.user_id, person);
      return;
    }
    const user = this.#users.get(person.user_id);
    if (user === undefined) return;
    const { custom_profile_field, new_email, avatar_url_medium: _, avatar_source: _source, ...changes } =
      person;
    Object.assign(user, changes, new_email === undefined ? {} : { email: new_email });
    if (custom_profile_field !== undefined) {
      const { id, ...value } = custom_profile_field;
      if (value.value === null) delete user["profile_data"][id];
      else user["profile_data"][id] = value;
    }
    Object.assign(user, {
      is_owner: user["role"] === 100,
      is_admin: user["role"] <= ADMIN_ROLE,
      is_guest: user["role"] === GUEST_ROLE,
    });
    if (person.user_id !== state.user_id) return;
    const { full_name, delivery_email, email, is_owner, is_admin, is_guest } = user;
    Object.assign(state, pick(person, ["avatar_url", "avatar_url_medium", "avatar_source"]));
    Object.assign(state, { full_name, delivery_email, email, is_owner, is_admin, is_guest });
    state["is_moderator"] = user["role"] === 300;
  }

  /** Removes values whose field or choice was removed. */
  #removeValues(): void {
    const fields: JsonRecord[] = this.#state.custom_profile_fields;
    const isShown = ([id, { value }]: [string, JsonRecord]) => {
      const field = fields.find((each) => String(each.id) === id);
      if (field === undefined) return false;
      return field.type !== 3 || Object.keys(JSON.parse(field.field_data)).includes(value);
    };
    for (const user of this.#users.values()) {
      if (user.is_bot) continue;
      const values: [string, JsonRecord][] = Object.entries(user.profile_data);
      user["profile_data"] = Object.fromEntries(values.filter(isShown));
    }
  }

  #applyGroup({ op, group_id, group, data, user_ids, direct_subgroup_ids }: JsonRecord): void {
    if (op === "add") {
      this.#groups.set(group.id, group);
      return;
    }
    const known = this.#groups.get(group_id);
    if (known === undefined) return;
    const { members, direct_subgroup_ids: subgroups } = known;
    if (op === "remove") this.#groups.delete(group_id);
    if (op === "update") Object.assign(known, data);
    if (op === "add_members") known["members"] = union(members, user_ids);
    if (op === "remove_members") known["members"] = without(members, user_ids);
    if (op === "add_subgroups") known["direct_subgroup_ids"] = union(subgroups, direct_subgroup_ids);
    if (op === "remove_subgroups") known["direct_subgroup_ids"] = without(subgroups, direct_subgroup_ids);
  }

  #applyChannel(
    { op, streams, stream_ids, stream_id, type: _, id: _id, name: _name, ...changes }: JsonRecord,
  ): void {
    if (op === "create") {
      for (const channel of streams) {
        this.#channels.set(channel.stream_id, { ...channel });
        this.#revealed.add(channel.stream_id);
      }
    }
    for (const id of op === "delete" ? stream_ids : []) {
      this.#channels.delete(id);
      this.#leave(id);
    }
    const known = this.#channels.get(stream_id);
    if (op !== "update" || known === undefined) return;
    const { property, value, ...beside } = changes;
    if (property === "is_archived" && value === false) this.messages.addRestoredChannel(stream_id);
    Object.assign(known, { [property]: value, ...beside });
  }

  #applySubscription(event: JsonRecord): void {
    const { op, subscriptions, stream_id, stream_ids, user_ids, property, value } = event;
    if (op === "update") Object.assign(this.#subscriptions.get(stream_id) ?? {}, { [property]: value });
    for (const subscription of op === "add" ? subscriptions : []) {
      const { subscribers, partial_subscribers: _, ...shown } = subscription;
      this.#subscriptions.set(shown.stream_id, pick(shown, PERSONAL_FIELDS));
      this.#channels.set(shown.stream_id, leave(shown, PERSONAL_FIELDS));
      this.#subscribers.set(shown.stream_id, new Set(subscribers));
      this.messages.addRestoredChannel(shown.stream_id);
    }
    for (const { stream_id } of op === "remove" ? subscriptions : []) this.#leave(stream_id);
    if (op !== "peer_add" && op !== "peer_remove") return;
    for (const id of stream_ids) this.#count(id, op, user_ids);
  }

  /** Updates the number of subscribers; those known by id are not counted again. */
  #count(channelId: number, op: "peer_add" | "peer_remove", userIds: readonly number[]): void {
    const named = this.#subscribers.get(channelId) ?? new Set();
    this.#subscribers.set(channelId, named);
    const channel = this.#channels.get(channelId);
    for (const id of userIds) {
      const change = op === "peer_remove" ? -1 : named.has(id) ? 0 : 1;
      if (channel !== undefined) channel["subscriber_count"] += change;
      if (op === "peer_add") named.add(id);
      else named.delete(id);
    }
  }

  /** Returns a registration without what this client cannot know. */
  toComparable(registered: JsonRecord): JsonRecord {
    const [forgotten, unsubscribed] = partition<JsonRecord>(
      registered["unsubscribed"],
      ({ stream_id }) => this.#revealed.has(stream_id) && !this.#left.has(stream_id),
    );
    return sorted({
      ...registered,
      user_topics: this.#ofReadableChannels(registered["user_topics"]),
      unsubscribed,
      never_subscribed: [
        ...registered["never_subscribed"],
        ...forgotten.map((channel) => leave(channel, PERSONAL_FIELDS)),
      ],
      messages: this.messages.toKnown(toMessageState(registered)),
    });
  }

  /** Returns the state of a new registration as the client expects it, sorted. */
  view(): JsonRecord {
    const state = this.#state;
    const users = [...this.#users.values()];
    const channels = [...this.#channels.values()];
    const [own, others] = [true, false].map((isOwn) =>
      channels.filter((channel) => this.#subscriptions.has(channel.stream_id) === isOwn)
    );
    const isActive = (id: number) =>
      this.#subscriptions.has(id) && this.#channels.get(id)?.["is_archived"] === false;
    return sorted({
      ...state,
      ...this.#ownRights(),
      user_topics: this.#ofReadableChannels(state.user_topics),
      messages: this.messages.view(isActive),
      realm_users: users.filter((user) => user.is_active),
      realm_non_active_users: users.filter((user) => !user.is_active),
      realm_bots: [...this.#bots.values()],
      realm_user_groups: [...this.#groups.values()],
      streams: channels,
      subscriptions: own?.map((channel) => ({ ...channel, ...this.#subscriptions.get(channel.stream_id) })),
      never_subscribed: others?.filter(({ stream_id }) => !this.#left.has(stream_id)),
      unsubscribed: others?.filter(({ stream_id }) => this.#left.has(stream_id))
        .map((channel) => ({ ...channel, ...this.#left.get(channel.stream_id) })),
    });
  }

  /** Returns the policies of topics in readable channels: no event names a topic that moves in another one. */
  #ofReadableChannels(topics: readonly JsonRecord[]): readonly JsonRecord[] {
    return topics.filter(({ stream_id }) =>
      this.#subscriptions.has(stream_id) ||
      !this.#state.is_guest && this.#channels.get(stream_id)?.["invite_only"] === false
    );
  }

  #ownRights(): JsonRecord {
    const may = (setting: string) => {
      const rule = this.#state.server_supported_permission_settings.realm[setting];
      return this.#holds(rule, this.#state[`realm_${setting}`]);
    };
    const isPublic = may("can_create_public_channel_group");
    const isPrivate = may("can_create_private_channel_group");
    return {
      can_create_streams: isPublic || isPrivate,
      can_create_public_streams: isPublic,
      can_create_private_streams: isPrivate,
      can_create_web_public_streams: may("can_create_web_public_channel_group"),
      can_subscribe_other_users: may("can_add_subscribers_group"),
      can_invite_others_to_realm: may("can_invite_users_group"),
    };
  }

  #leave(channelId: number): void {
    const settings = this.#subscriptions.get(channelId);
    if (settings !== undefined) this.#left.set(channelId, settings);
    this.#subscriptions.delete(channelId);
  }

  #holds(rule: JsonRecord, value: number | JsonRecord): boolean {
    if (this.#state.is_guest && !rule.allow_everyone_group) return false;
    if (typeof value === "number") return this.#isIn(value);
    const groups: number[] = value.direct_subgroups;
    return value.direct_members.includes(this.userId) || groups.some((id) => this.#isIn(id));
  }

  #isIn(groupId: number): boolean {
    const seen = new Set([groupId]);
    for (const id of seen) {
      const group = this.#groups.get(id);
      if (group?.members.includes(this.userId)) return true;
      for (const subgroup of group?.direct_subgroup_ids ?? []) seen.add(subgroup);
    }
    return false;
  }
}
