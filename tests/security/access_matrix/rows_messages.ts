import { idOf } from "@/tests/casts/access_matrix/organization.ts";
import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const ALL = { anchor: "newest", num_before: 200, num_after: 0 };
const THUMB = { emoji_name: "+1" };
const star = ({ target }: Cell) => ({ messages: [target.id], op: "add", flag: "starred" });
const narrowTo = (operator: string) => ({ target }: Cell) => ({ ...ALL, narrow: [[operator, target.id]] });
const editFields = (params: Readonly<Record<string, unknown>>) => ({ params: () => params });
const changePoll = (change: Readonly<Record<string, unknown>>) => ({ target }: Cell) => ({
  ...{ message_id: target.id, msg_type: "widget" },
  content: JSON.stringify(change),
});
const toJoined = ({ targets }: Cell) => ({
  stream_id: targets.channel["public-joined"].id,
  propagate_mode: "change_one",
});

/** Operations on messages. */
export const MESSAGE_ROWS: readonly Row[] = [
  row("GET /messages/{message_id}", "message")`
    !+ ++ ++++ + !!  web-public
    !! ?? ++++ + !!  public
    !! ++ ++++ + !!  public-joined own shared-earlier protected-joined archived-joined direct
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("GET /messages/{message_id}/history", "message")`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("PATCH /messages/{message_id}", "message", { title: "content", ...editFields({ content: "new" }) })`
    !! -- ---- - !!  web-public public-joined shared-earlier protected-joined direct
    !! ?? ---- - !!  public
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  shared protected-earlier protected administered archived-joined archived
    !! ?? ???? ? !!  direct-others foreign
  `,
  row("PATCH /messages/{message_id}", "message", { title: "topic", ...editFields({ topic: "new" }) })`
    !! -- ++++ + !!  web-public public-joined own shared-earlier protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived-joined archived
    !! ?? ???? ? !!  direct-others foreign
    !! -- ---- - !!  direct
  `,
  row("PATCH /messages/{message_id}", "message", { title: "channel", params: toJoined })`
    !! -- -+++ - !!  web-public shared-earlier protected-joined
    !! ?? -+++ - !!  public
    !! -- ---- - !!  public-joined own direct
    !! ?? ???? ? !!  shared protected-earlier protected administered archived-joined archived
    !! ?? ???? ? !!  direct-others foreign
  `,
  row("DELETE /messages/{message_id}", "message")`
    !! -- --++ - !!  web-public public-joined shared-earlier protected-joined direct
    !! ++ ++++ + !!  own
    !! ?? --++ - !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived-joined archived
    !! ?? ???? ? !!  direct-others foreign
  `,
  row("POST /messages/{message_id}/reactions", "message", editFields(THUMB))`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("DELETE /messages/{message_id}/reactions", "message", editFields({ emoji_name: "heart" }))`
    !! -- ---- - !!  web-public public-joined shared-earlier protected-joined archived-joined
    !! -- ---- - !!  direct
    !! ?? ---- - !!  public
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("GET /messages/{message_id}/read_receipts", "message")`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("POST /messages/{message_id}/typing", "message", editFields({ op: "start" }))`
    !! -- ---- - !!  web-public public-joined shared-earlier protected-joined archived-joined
    !! -- ---- - !!  direct
    !! ?? ---- - !!  public
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("POST /messages/{message_id}/report", "message", editFields({ report_type: "spam" }))`
    !! ++ ++++ x !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ x !!  direct
    !! ?? ++++ x !!  public
    !! ?? ???? x !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("POST /submessage", "poll", { params: changePoll({ type: "vote", key: "canned,0", vote: 1 }) })`
    !! ++ ++++ + !!  own public-joined direct
    !! ?? ++++ + !!  public
    !! -- ---- - !!  no-poll
    !! ?? ???? ? !!  shared archived-joined direct-others foreign
  `,
  row("POST /submessage", "poll", {
    title: "question",
    params: changePoll({ type: "question", question: "New" }),
  })`
    !! ++ ++++ + !!  own
    !! -- ---- - !!  public-joined direct no-poll
    !! ?? ---- - !!  public
    !! ?? ???? ? !!  shared archived-joined direct-others foreign
  `,
  row("POST /messages/flags", "message", { params: star })`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("GET /messages/matches_narrow", "message", {
    params: ({ target }) => ({ msg_ids: [target.id], narrow: [] }),
  })`
    !! ?? ???? ? !!  web-public public shared shared-earlier protected-earlier protected
    !! ?? ???? ? !!  administered archived direct-others foreign
    !! ++ ++++ + !!  public-joined own protected-joined archived-joined direct
  `,
  row("POST /messages/flags/narrow", "message", {
    params: (cell) => ({ ...narrowTo("id")(cell), op: "add", flag: "starred" }),
  })`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("GET /messages", "message", {
    title: "by ids",
    params: ({ target }) => ({ message_ids: [target.id] }),
  })`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("GET /messages", "message", { title: "narrow by id", params: narrowTo("id") })`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("GET /messages", "message", { title: "narrow with id", params: narrowTo("with") })`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("POST /messages/render", "message", {
    title: "link",
    params: ({ targets, target }) => ({
      content: `#**${targets.channel["public-joined"].name}>plans@${target.id}**`,
    }),
  })`
    !! ?? ???? ? !!  web-public public public-joined own shared shared-earlier protected-earlier
    !! ?? ???? ? !!  protected protected-joined administered archived-joined archived direct
    !! ?? ???? ? !!  direct-others foreign
  `,
  row("GET /messages", "message", { title: "newest", isList: true, params: () => ALL })`
    !! ?? ???? ? !!  web-public public shared shared-earlier protected-earlier protected
    !! ?? ???? ? !!  administered archived direct-others foreign
    !! ++ ++++ + !!  public-joined own protected-joined archived-joined direct
  `,
  row("GET /messages", "message", {
    title: "public channels",
    isList: true,
    params: () => ({ ...ALL, narrow: [["channels", "public"]] }),
  })`
    !! ++ ++++ + !!  web-public public-joined own archived-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared shared-earlier protected-earlier protected protected-joined
    !! ?? ???? ? !!  administered archived direct direct-others foreign
  `,
  row("GET /messages", "message", {
    title: "web-public channels",
    isList: true,
    params: () => ({ ...ALL, narrow: [["channels", "web-public"]] }),
  })`
    !+ ++ ++++ + !!  web-public
    !? ?? ???? ? !!  public public-joined own shared shared-earlier protected-earlier protected
    !? ?? ???? ? !!  protected-joined administered archived-joined archived direct direct-others
    !? ?? ???? ? !!  foreign
  `,
  row("GET /messages", "message", {
    title: "search",
    isList: true,
    params: () => ({ ...ALL, narrow: [["search", "message"]] }),
  })`
    !! ?? ???? ? !!  web-public public shared shared-earlier protected-earlier protected
    !! ?? ???? ? !!  administered archived direct-others foreign
    !! ++ ++++ + !!  public-joined own protected-joined archived-joined direct
  `,
  row("GET /messages", "message", {
    title: "by the keeper",
    isList: true,
    params: ({ org }) => ({ ...ALL, narrow: [["sender", org.keeper.id]] }),
  })`
    !! ?? ???? ? !!  web-public public own shared shared-earlier protected-earlier protected
    !! ?? ???? ? !!  administered archived direct-others foreign
    !! ++ ++++ + !!  public-joined protected-joined archived-joined direct
  `,
  row("POST /register", "message", { isList: true })`
    !? ?? ???? ? !!  web-public public public-joined own shared shared-earlier protected-earlier
    !? ?? ???? ? !!  protected protected-joined administered archived-joined archived direct
    !? ?? ???? ? !!  direct-others foreign
  `,
  row("GET /events", "message", {
    isList: true,
    params: ({ targets, caller }) => ({
      queue_id: idOf(targets.queue, "own", caller.name),
      last_event_id: -1,
      dont_block: true,
    }),
  })`
    !! ?? ???? ? !!  web-public public shared shared-earlier protected-earlier protected
    !! ?? ???? ? !!  administered archived direct-others foreign
    !! ++ ++++ + !!  public-joined own protected-joined archived-joined direct
  `,
];
