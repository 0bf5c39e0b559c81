import { idOf } from "@/tests/casts/access_matrix/organization.ts";
import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const toChannel = ({ target }: Cell) => ({ stream_id: target.id });
const invitation = ({ target }: Cell) => ({ stream_ids: [target.id] });
const narrow = ({ target }: Cell) => ({
  ...{ anchor: "newest", num_before: 5, num_after: 0 },
  narrow: [["channel", target.id]],
});
const ownMessage = ({ targets, caller }: Cell) => ({ message_id: idOf(targets.message, "own", caller.name) });
const ownDraft = ({ targets, caller }: Cell) => ({ draft_id: idOf(targets.draft, "own", caller.name) });
const toDraft = ({ target }: Cell) => ({ type: "stream", to: [target.id], topic: "plans", content: "hi" });
const newTopic = ({ target }: Cell) => ({ stream_id: target.id, propagate_mode: "change_one" });

/** Operations that concern the caller's messages, topics and drafts in channels. */
export const CHANNEL_CONTENT_ROWS: readonly Row[] = [
  row("POST /user_topics", "channel", {
    params: (cell) => ({ ...toChannel(cell), topic: "plans", visibility_policy: 1 }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /user_topics", "channel", {
    title: "clear",
    params: (cell) => ({ ...toChannel(cell), topic: "plans", visibility_policy: 0 }),
  })`
    !! ++ ++++ + !!  web-public public public-joined shared shared-joined protected
    !! ++ ++++ + !!  protected-joined administered archived-joined archived
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/me/subscriptions/muted_topics", "channel", {
    params: (cell) => ({ ...toChannel(cell), topic: "plans", op: "add" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("PATCH /users/me/subscriptions/muted_topics", "channel", {
    title: "by name",
    params: ({ target }) => ({ stream: target.name, topic: "plans", op: "add" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ---- - !!  administered
    !! ?? ??-- ? !!  shared protected archived
    !! -- ---- - !!  archived-joined
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/me/subscriptions/muted_topics", "channel", {
    title: "unmute",
    params: (cell) => ({ ...toChannel(cell), topic: "plans", op: "remove" }),
  })`
    !! ++ ++++ + !!  web-public public public-joined shared shared-joined protected
    !! ++ ++++ + !!  protected-joined administered archived-joined archived
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/me/subscriptions/muted_topics", "channel", {
    title: "unmute by name",
    params: ({ target }) => ({ stream: target.name, topic: "plans", op: "remove" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("POST /streams/{stream_id}/delete_topic", "channel", { params: () => ({ topic_name: "plans" }) })`
    !! -- --++ - !!  web-public public-joined shared-joined protected-joined
    !! ?? --++ - !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /mark_stream_as_read", "channel", { params: toChannel })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /mark_topic_as_read", "channel", {
    params: (cell) => ({ ...toChannel(cell), topic_name: "plans" }),
  })`
    !! -- ---- - !!  web-public
    !! ?? ---- - !!  public
    !! ++ ++++ + !!  public-joined shared-joined protected-joined
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /typing", "channel", {
    params: (cell) => ({ ...toChannel(cell), type: "channel", op: "start", topic: "plans" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /messages", "channel", {
    params: ({ target }) => ({ type: "channel", to: target.id, topic: "plans", content: "hi" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
    !! -- ---- - !!  archived-joined
  `,
  row("POST /messages", "channel", {
    title: "by name",
    params: ({ target }) => ({ type: "channel", to: target.name, topic: "plans", content: "hi" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
    !! -- ---- - !!  archived-joined
  `,
  row("PATCH /messages/{message_id}", "channel", {
    title: "move the own message there",
    path: ownMessage,
    params: newTopic,
  })`
    !! ?? ?+++ ? !!  web-public public shared-joined protected-joined
    !! -- ---- - !!  public-joined
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("GET /messages", "channel", { params: narrow })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
  `,
  row("GET /messages", "channel", {
    title: "by name",
    params: (cell) => ({ ...narrow(cell), narrow: [["channel", cell.target.name]] }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("GET /messages/matches_narrow", "channel", {
    params: (cell) => ({
      msg_ids: [cell.targets.message["public-joined"].id],
      narrow: narrow(cell).narrow,
    }),
  })`
    !! ?? ???? ? !!  web-public public shared shared-joined protected protected-joined administered
    !! ?? ???? ? !!  archived-joined archived foreign
    !! ++ ++++ + !!  public-joined
  `,
  row("POST /messages/flags/narrow", "channel", {
    params: (cell) => ({ ...narrow(cell), op: "add", flag: "starred" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
  `,
  row("POST /messages/render", "channel", {
    title: "mention",
    params: ({ target }) => ({ content: `#**${target.name}>plans**` }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("POST /drafts", "channel", { params: (cell) => ({ drafts: [toDraft(cell)] }) })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("PATCH /drafts/{draft_id}", "channel", {
    title: "move the own draft there",
    path: ownDraft,
    params: (cell) => ({ draft: toDraft(cell) }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /invites", "channel", {
    params: (cell) => ({ ...invitation(cell), invitee_emails: "new@rose.example" }),
  })`
    !! xx ++++ x !!  web-public public public-joined shared-joined protected-joined
    !! xx ???? x !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /invites/multiuse", "channel", { params: invitation })`
    !! xx ++++ x !!  web-public public public-joined shared-joined protected-joined
    !! xx ???? x !!  shared protected administered archived-joined archived foreign
  `,
];
