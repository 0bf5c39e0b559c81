import type { JsonRecord, Make, Stage } from "./client_stage.ts";

const TOPICS = ["tea", "Tea", "plans", "a", ""] as const;

/** Returns operations that send, read, star, edit, move and delete messages. */
export function messageOperations(): Record<string, Make> {
  const actor = ({ dice, actors }: Stage) => dice.one(actors);
  const channel = (at: Stage) => at.dice.any<JsonRecord>(at.known.subscriptions)?.stream_id ?? 0;
  const message = ({ dice, lastMessageId }: Stage) => Math.max(1, lastMessageId - dice.below(30));
  const content = (at: Stage) => {
    const name = at.dice.any<JsonRecord>(at.known.realm_users)?.full_name ?? "nobody";
    return at.dice.one([at.dice.name(), `@**${name}** ${at.dice.name()}`]);
  };
  const post = (at: Stage) => ({
    user: actor(at),
    endpoint: "POST /messages",
    params: { type: "channel", to: channel(at), topic: at.dice.one(TOPICS), content: content(at) },
  });
  return {
    add_message: post,
    post,
    post_more: post,
    add_conversation: (at) => ({
      user: actor(at),
      endpoint: "POST /messages",
      params: { type: "direct", to: [actor(at).id, actor(at).id], content: content(at) },
    }),
    flag: (at) => ({
      user: actor(at),
      endpoint: "POST /messages/flags",
      params: {
        messages: [message(at), message(at)],
        op: at.dice.one(["add", "remove"]),
        flag: at.dice.one(["read", "starred"]),
      },
    }),
    star: (at) => ({
      user: actor(at),
      endpoint: "POST /messages/flags",
      params: { messages: [message(at)], op: "add", flag: "starred" },
    }),
    read_all: (at) => ({ user: actor(at), endpoint: "POST /mark_all_as_read" }),
    read_channel: (at) => ({
      user: actor(at),
      endpoint: "POST /mark_stream_as_read",
      params: { stream_id: channel(at) },
    }),
    read_topic: (at) => ({
      user: actor(at),
      endpoint: "POST /mark_topic_as_read",
      params: { stream_id: channel(at), topic_name: at.dice.one(TOPICS) },
    }),
    edit: (at) => ({
      user: actor(at),
      endpoint: `PATCH /messages/${message(at)}`,
      params: { content: content(at) },
    }),
    move_topic: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /messages/${message(at)}`,
      params: {
        topic: at.dice.one(TOPICS),
        propagate_mode: at.dice.one(["change_one", "change_later", "change_all"]),
      },
    }),
    move_channel: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /messages/${message(at)}`,
      params: {
        stream_id: channel(at),
        propagate_mode: at.dice.one(["change_one", "change_later", "change_all"]),
      },
    }),
    delete_message: (at) => ({ user: at.chat.owner, endpoint: `DELETE /messages/${message(at)}` }),
  };
}
