import { idOf } from "@/tests/casts/access_matrix/organization.ts";
import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const direct = ({ target }: Cell) => ({ type: "direct", to: [target.id], content: "hi" });
const inJoined = ({ targets, target }: Cell) => ({
  subscriptions: [{ name: targets.channel["public-joined"].name }],
  principals: [target.id],
});
const narrowTo = (operator: string) => ({ target }: Cell) => ({
  ...{ anchor: "newest", num_before: 5, num_after: 0 },
  narrow: [[operator, target.id]],
});
const memberOf = ({ targets, target }: Cell) => ({
  user_group_id: targets.group.member.id,
  user_id: target.id,
});
const managed = ({ targets }: Cell) => ({ user_group_id: targets.group.managed.id });

/** Operations that name users. */
export const NAMED_USER_ROWS: readonly Row[] = [
  row("POST /messages", "user", { params: direct })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! -? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("POST /messages", "address", { params: direct })`
    !! ++ ++++ + !!  self
    !! +? ++++ + !!  shown
    !! ?? ???? ? !!  hidden foreign
    !! -? ---- - !!  deactivated
  `,
  row("POST /typing", "user", { params: ({ target }) => ({ op: "start", to: [target.id] }) })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! -? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("GET /messages", "user", { title: "sender", params: narrowTo("sender") })`
    !! ++ ++++ + !!  self shares-channel owner
    !! ?? ???? ? !!  shares-nothing bot deactivated foreign
  `,
  row("GET /messages", "address", { title: "sender", params: narrowTo("sender") })`
    !! ++ ++++ + !!  self
    !! +? ++++ + !!  shown deactivated
    !! ?? ???? ? !!  hidden foreign
  `,
  row("GET /messages", "user", { title: "direct", params: narrowTo("dm-including") })`
    !! ++ ++++ + !!  self shares-channel owner
    !! ?? ???? ? !!  shares-nothing bot deactivated foreign
  `,
  row("GET /messages/{message_id}/read_receipts", "user", {
    title: "readers",
    listsIds: true,
    path: ({ targets, caller }) => ({ message_id: idOf(targets.message, "own", caller.name) }),
  })`
    !! +? ++++ + !!  shares-channel
    !! +? +++? + !!  owner
    !! ?? ???? ? !!  self shares-nothing bot deactivated foreign
  `,
  row("POST /users/me/subscriptions", "user", { params: inJoined })`
    !! xx ++++ + !!  self shares-channel shares-nothing owner bot
    !! xx ---- - !!  deactivated
    !! xx ???? ? !!  foreign
  `,
  row("DELETE /users/me/subscriptions", "user", {
    params: (cell) => ({ ...inJoined(cell), subscriptions: [cell.targets.channel["public-joined"].name] }),
  })`
    !! ++ ++++ + !!  self
    !! -? --++ - !!  shares-channel shares-nothing owner
    !! -- --++ - !!  bot
    !! -? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("POST /channels/create", "user", {
    params: ({ target }) => ({ name: "new", subscribers: [target.id] }),
  })`
    !! xx ++++ + !!  self shares-channel shares-nothing owner bot
    !! xx ---- - !!  deactivated
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/create", "user", {
    params: ({ target }) => ({ name: "new", description: "", members: [target.id] }),
  })`
    !! xx ++++ + !!  self shares-channel shares-nothing owner bot
    !! xx ???? ? !!  deactivated foreign
  `,
  row("POST /user_groups/{user_group_id}/members", "user", {
    title: "add",
    path: managed,
    params: ({ target }) => ({ add: [target.id] }),
  })`
    !! xx ++++ + !!  self shares-channel shares-nothing owner bot
    !! xx ???? ? !!  deactivated foreign
  `,
  row("GET /user_groups/{user_group_id}/members/{user_id}", "user", { path: memberOf })`
    !! xx ++++ + !!  self shares-channel shares-nothing owner bot
    !! xx ---- - !!  deactivated
    !! xx ???? ? !!  foreign
  `,
  row("POST /drafts", "user", {
    params: ({ target }) => ({ drafts: [{ type: "private", to: [target.id], topic: "", content: "hi" }] }),
  })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("POST /messages/render", "user", {
    title: "mention",
    params: ({ target }) => ({ content: `@**|${target.id}**` }),
  })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! ?? ???? ? !!  deactivated foreign
  `,
];
