import type { Heard } from "@/tests/api/chat/events_cast.ts";

/** Where an unread message is, as one text: a topic, or all who take part in a conversation. */
type Place = string;

/** What a client knows of messages: those that are unread and where, those with a star, the latest of each conversation. */
export class MessageModel {
  readonly #userId: number;
  readonly #unread: Map<number, Place>;
  readonly #mentions: Set<number>;
  readonly #starred: Set<number>;
  readonly #recent: Map<string, number>;
  /** Conversations whose latest message is gone: no event says which one is the latest then. */
  readonly #cut = new Set<string>();
  /** Messages that were given a star, or lost it, since the client began: of others it may not have been told. */
  readonly #touched = new Set<number>();
  /** What was received before the client began. */
  readonly #before: number;
  /** Channels that come back: what was unread in them when the client began it was not told. */
  readonly #back = new Set<number>();

  constructor(registered: Heard) {
    const { unread_msgs, starred_messages, recent_private_conversations } = registered;
    this.#userId = registered["user_id"];
    this.#unread = new Map(placesOf(registered));
    this.#mentions = new Set(unread_msgs.mentions);
    this.#starred = new Set(starred_messages);
    this.#recent = new Map(
      recent_private_conversations.map((one: Heard) => [one["user_ids"].join(), one["max_message_id"]]),
    );
    this.#before = registered["max_message_id"];
  }

  /** Takes in an event. */
  apply(event: Heard): void {
    switch (event.type) {
      case "message":
        return this.#add(event);
      case "update_message_flags":
        return event.flag === "starred" ? this.#star(event) : this.#mark(event);
      case "update_message":
        return this.#update(event);
      case "delete_message":
        for (const id of event.message_ids) {
          this.#forget(id);
          this.#starred.delete(id);
          for (const [others, latest] of this.#recent) if (latest === id) this.#cut.add(others);
        }
    }
  }

  /** Notes that a channel is used again of which the client was not told what is unread. */
  noteReturn(channelId: number): void {
    this.#back.add(channelId);
  }

  #add({ message, flags }: Heard): void {
    const { id, type, stream_id, subject, display_recipient } = message;
    if (type === "private") {
      const others: number[] = display_recipient.map((one: Heard) => one["id"])
        .filter((one: number) => one !== this.#userId).sort((one: number, other: number) => one - other);
      this.#recent.set(others.join(), id);
      this.#cut.delete(others.join());
      if (!flags.includes("read")) this.#unread.set(id, this.#conversation(others));
    } else if (!flags.includes("read")) {
      this.#unread.set(id, topicPlace(stream_id, subject));
    }
    if (flags.includes("mentioned") && !flags.includes("read")) this.#mentions.add(id);
  }

  #conversation(others: readonly number[]): Place {
    return conversationPlace([...others, this.#userId]);
  }

  #star({ op, messages }: Heard): void {
    for (const id of messages) {
      this.#touched.add(id);
      if (op === "add") this.#starred.add(id);
      else this.#starred.delete(id);
    }
  }

  /** Stars that a registration does not tell of. */
  starsBeyond(registered: Heard): number[] {
    return [...this.#starred].filter((id) => !registered["starred_messages"].includes(id));
  }

  /** Forgets the star of a message that the client may not see any more. */
  dropStar(id: number): void {
    this.#starred.delete(id);
  }

  #mark({ op, flag, messages, all, message_details }: Heard): void {
    if (flag !== "read") return;
    if (op === "add") {
      for (const id of all ? [...this.#unread.keys()] : messages) this.#forget(id);
      return;
    }
    for (const [id, detail] of Object.entries<Heard>(message_details)) {
      const { type, stream_id, topic, user_ids, mentioned } = detail;
      const place = type === "private" ? this.#conversation(user_ids) : topicPlace(stream_id, topic);
      this.#unread.set(Number(id), place);
      if (mentioned) this.#mentions.add(Number(id));
    }
  }

  #update({ message_id, message_ids, flags, stream_id, new_stream_id, orig_subject, subject }: Heard): void {
    if (orig_subject !== undefined) {
      const place = topicPlace(new_stream_id ?? stream_id, subject ?? orig_subject);
      for (const id of message_ids) if (this.#unread.has(id)) this.#unread.set(id, place);
    }
    if (!this.#unread.has(message_id)) return;
    if (flags.includes("mentioned")) this.#mentions.add(message_id);
    else this.#mentions.delete(message_id);
  }

  #forget(id: number): void {
    this.#unread.delete(id);
    this.#mentions.delete(id);
  }

  /** What a registration would tell now of messages; of channels, those that are used alone. */
  view(isUsed: (channelId: number) => boolean): Heard {
    const isShown = ([, place]: [number, Place]) => {
      const channelId = channelOf(place);
      return channelId === null || isUsed(channelId);
    };
    const unread = [...this.#unread].filter(isShown);
    const ids = new Set(unread.map(([id]) => id));
    return this.known({
      unread,
      mentions: [...this.#mentions].filter((id) => ids.has(id)),
      starred: [...this.#starred],
      recent: [...this.#recent],
    });
  }

  /** What is told of messages, without what a client cannot know that began when this one did. */
  known({ unread, mentions, starred, recent }: Heard): Heard {
    const isKnown = ([id, place]: [number, Place]) =>
      id > this.#before || !this.#back.has(channelOf(place) ?? -1);
    const left: [number, Place][] = unread.filter(isKnown);
    const ids = new Set(left.map(([id]) => id));
    return {
      starred: starred.filter((id: number) => this.#starred.has(id) || this.#touched.has(id)).toSorted(
        compare,
      ),
      recent: recent.filter(([others]: [string, number]) => !this.#cut.has(others)).toSorted(compare),
      unread: left.toSorted(compare),
      mentions: mentions.filter((id: number) => ids.has(id)).toSorted(compare),
    };
  }
}

/** What a registration tells of messages, as a model compares it. */
export function messagesOf(registered: Heard): Heard {
  return {
    unread: placesOf(registered),
    mentions: registered["unread_msgs"].mentions,
    starred: registered["starred_messages"],
    recent: registered["recent_private_conversations"].map((one: Heard) => [
      one["user_ids"].join(),
      one["max_message_id"],
    ]),
  };
}

function placesOf({ user_id, unread_msgs: { pms, streams, huddles } }: Heard): [number, Place][] {
  const all: [Place, number[]][] = [
    ...pms.map((
      one: Heard,
    ) => [conversationPlace([one["other_user_id"], user_id]), one["unread_message_ids"]]),
    ...huddles.map((one: Heard) => [
      conversationPlace(one["user_ids_string"].split(",").map(Number)),
      one["unread_message_ids"],
    ]),
    ...streams.map((one: Heard) => [topicPlace(one["stream_id"], one["topic"]), one["unread_message_ids"]]),
  ];
  return all.flatMap(([place, ids]) => ids.map((id): [number, Place] => [id, place]));
}

/** Topics are the same in any case. */
function topicPlace(channelId: number, topic: string): Place {
  return `${channelId}: ${topic.toLowerCase()}`;
}

function conversationPlace(userIds: readonly number[]): Place {
  return [...new Set(userIds)].sort((one, other) => one - other).join("+");
}

function channelOf(place: Place): number | null {
  const [channelId] = place.split(": ");
  return place.includes(": ") ? Number(channelId) : null;
}

function compare(one: unknown, other: unknown): number {
  const [first, second] = [one, other].map((value) => Array.isArray(value) ? value[0] : value);
  return first < second ? -1 : Number(first > second);
}
