import type { JsonRecord } from "./client_stage.ts";

/** Location of an unread message as a string: its topic, or the participants of its conversation. */
type MessageLocation = string;

/**
 * A client's state of messages: unread ones with their location, starred ones, and the latest of each
 * conversation.
 */
export class MessageModel {
  readonly #userId: number;
  readonly #unread: Map<number, MessageLocation>;
  readonly #mentions: Set<number>;
  readonly #starred: Set<number>;
  readonly #recent: Map<string, number>;
  /** Conversations whose latest message was deleted: no event says which one is the latest then. */
  readonly #cut = new Set<string>();
  /** Messages starred or unstarred since the client registered; it may not know others. */
  readonly #touched = new Set<number>();
  /** Newest message at registration. */
  readonly #before: number;
  /** Channels restored since registration: the client does not know older unread messages in them. */
  readonly #restored = new Set<number>();

  constructor(registered: JsonRecord) {
    const { unread_msgs, starred_messages, recent_private_conversations } = registered;
    this.#userId = registered["user_id"];
    this.#unread = new Map(listUnread(registered));
    this.#mentions = new Set(unread_msgs.mentions);
    this.#starred = new Set(starred_messages);
    this.#recent = new Map(
      recent_private_conversations.map((one: JsonRecord) => [one["user_ids"].join(), one["max_message_id"]]),
    );
    this.#before = registered["max_message_id"];
  }

  /** Applies an event. */
  apply(event: JsonRecord): void {
    switch (event.type) {
      case "message":
        return this.#add(event);
      case "update_message_flags":
        return event.flag === "starred" ? this.#star(event) : this.#mark(event);
      case "update_message":
        return this.#update(event);
      case "delete_message":
        for (const id of event.message_ids) {
          this.#remove(id);
          this.#starred.delete(id);
          for (const [others, latest] of this.#recent) if (latest === id) this.#cut.add(others);
        }
    }
  }

  /** Records that a channel was restored whose unread messages the client does not know. */
  addRestoredChannel(channelId: number): void {
    this.#restored.add(channelId);
  }

  #add({ message, flags }: JsonRecord): void {
    const { id, type, stream_id, subject, display_recipient } = message;
    if (type === "private") {
      const others: number[] = display_recipient.map((one: JsonRecord) => one["id"])
        .filter((one: number) => one !== this.#userId).sort((one: number, other: number) => one - other);
      this.#recent.set(others.join(), id);
      this.#cut.delete(others.join());
      if (!flags.includes("read")) this.#unread.set(id, this.#toConversation(others));
    } else if (!flags.includes("read")) {
      this.#unread.set(id, toTopicLocation(stream_id, subject));
    }
    if (flags.includes("mentioned") && !flags.includes("read")) this.#mentions.add(id);
  }

  #toConversation(others: readonly number[]): MessageLocation {
    return toConversationLocation([...others, this.#userId]);
  }

  #star({ op, messages }: JsonRecord): void {
    for (const id of messages) {
      this.#touched.add(id);
      if (op === "add") this.#starred.add(id);
      else this.#starred.delete(id);
    }
  }

  /** Returns the starred messages that a registration does not contain. */
  listStarsMissingIn(registered: JsonRecord): number[] {
    return [...this.#starred].filter((id) => !registered["starred_messages"].includes(id));
  }

  /** Removes the star of a message that the client can no longer access. */
  dropStar(id: number): void {
    this.#starred.delete(id);
  }

  #mark({ op, flag, messages, all, message_details }: JsonRecord): void {
    if (flag !== "read") return;
    if (op === "add") {
      for (const id of all ? [...this.#unread.keys()] : messages) this.#remove(id);
      return;
    }
    for (const [id, detail] of Object.entries<JsonRecord>(message_details)) {
      const { type, stream_id, topic, user_ids, mentioned } = detail;
      const location = type === "private"
        ? this.#toConversation(user_ids)
        : toTopicLocation(stream_id, topic);
      this.#unread.set(Number(id), location);
      if (mentioned) this.#mentions.add(Number(id));
    }
  }

  #update(
    { message_id, message_ids, flags, stream_id, new_stream_id, orig_subject, subject }: JsonRecord,
  ): void {
    if (orig_subject !== undefined) {
      const location = toTopicLocation(new_stream_id ?? stream_id, subject ?? orig_subject);
      for (const id of message_ids) if (this.#unread.has(id)) this.#unread.set(id, location);
    }
    if (!this.#unread.has(message_id)) return;
    if (flags.includes("mentioned")) this.#mentions.add(message_id);
    else this.#mentions.delete(message_id);
  }

  #remove(id: number): void {
    this.#unread.delete(id);
    this.#mentions.delete(id);
  }

  /** Returns the message fields of a new registration; of channels, only the active ones. */
  view(isActive: (channelId: number) => boolean): JsonRecord {
    const isShown = ([, location]: [number, MessageLocation]) => {
      const channelId = channelOf(location);
      return channelId === null || isActive(channelId);
    };
    const unread = [...this.#unread].filter(isShown);
    const ids = new Set(unread.map(([id]) => id));
    return this.toKnown({
      unread,
      mentions: [...this.#mentions].filter((id) => ids.has(id)),
      starred: [...this.#starred],
      recent: [...this.#recent],
    });
  }

  /** Returns message fields without those that this client cannot know. */
  toKnown({ unread, mentions, starred, recent }: JsonRecord): JsonRecord {
    const isKnown = ([id, location]: [number, MessageLocation]) =>
      id > this.#before || !this.#restored.has(channelOf(location) ?? -1);
    const known: [number, MessageLocation][] = unread.filter(isKnown);
    const ids = new Set(known.map(([id]) => id));
    return {
      starred: starred.filter((id: number) => this.#starred.has(id) || this.#touched.has(id)).toSorted(
        compare,
      ),
      recent: recent.filter(([others]: [string, number]) => !this.#cut.has(others)).toSorted(compare),
      unread: known.toSorted(compare),
      mentions: mentions.filter((id: number) => ids.has(id)).toSorted(compare),
    };
  }
}

/** Returns the message fields of a registration in the form of the model. */
export function toMessageState(registered: JsonRecord): JsonRecord {
  return {
    unread: listUnread(registered),
    mentions: registered["unread_msgs"].mentions,
    starred: registered["starred_messages"],
    recent: registered["recent_private_conversations"].map((one: JsonRecord) => [
      one["user_ids"].join(),
      one["max_message_id"],
    ]),
  };
}

function listUnread(
  { user_id, unread_msgs: { pms, streams, huddles } }: JsonRecord,
): [number, MessageLocation][] {
  const all: [MessageLocation, number[]][] = [
    ...pms.map((
      one: JsonRecord,
    ) => [toConversationLocation([one["other_user_id"], user_id]), one["unread_message_ids"]]),
    ...huddles.map((one: JsonRecord) => [
      toConversationLocation(one["user_ids_string"].split(",").map(Number)),
      one["unread_message_ids"],
    ]),
    ...streams.map((
      one: JsonRecord,
    ) => [toTopicLocation(one["stream_id"], one["topic"]), one["unread_message_ids"]]),
  ];
  return all.flatMap(([location, ids]) => ids.map((id): [number, MessageLocation] => [id, location]));
}

/** Topics are compared without regard to case. */
function toTopicLocation(channelId: number, topic: string): MessageLocation {
  return `${channelId}: ${topic.toLowerCase()}`;
}

function toConversationLocation(userIds: readonly number[]): MessageLocation {
  return [...new Set(userIds)].sort((one, other) => one - other).join("+");
}

function channelOf(location: MessageLocation): number | null {
  const [channelId] = location.split(": ");
  return location.includes(": ") ? Number(channelId) : null;
}

function compare(one: unknown, other: unknown): number {
  const [first, second] = [one, other].map((value) => Array.isArray(value) ? value[0] : value);
  return first < second ? -1 : Number(first > second);
}
