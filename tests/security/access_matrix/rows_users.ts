import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const joined = ({ targets, target }: Cell) => ({
  user: target.id,
  stream_id: targets.channel["public-joined"].id,
});
const setting = (target: Cell["target"]) => ({
  target_users: { user_ids: [target.id], group_ids: [], skip_if_already_edited: false },
  starred_message_counts: false,
});

/** Operations on users. */
export const USER_ROWS: readonly Row[] = [
  row("GET /users/{user}", "user")`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users/{user}", "address")`
    !! ++ ++++ + !!  self
    !! +? ++++ + !!  shown deactivated
    !! ?? ???? ? !!  hidden foreign
  `,
  row("GET /users/{user}/channels", "user")`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users/{user}/channels", "address")`
    !! ++ ++++ + !!  self
    !! +? ++++ + !!  shown deactivated
    !! ?? ???? ? !!  hidden foreign
  `,
  row("GET /users", "user", { params: ({ target }) => ({ user_ids: [target.id] }) })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users", "user", { title: "all", isList: true })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users", "address", { title: "all", isList: true })`
    !! ++ ++++ + !!  self
    !! +? ++++ + !!  shown deactivated
    !! ?? ???? ? !!  hidden foreign
  `,
  row("POST /register", "user", { isList: true })`
    !? ++ ++++ + !!  self bot
    !? +? ++++ + !!  shares-channel shares-nothing owner deactivated
    !? ?? ???? ? !!  foreign
  `,
  row("POST /register", "address", { isList: true })`
    !? ++ ++++ + !!  self
    !? +? ++++ + !!  shown deactivated
    !? ?? ???? ? !!  hidden foreign
  `,
  row("GET /realm/presence", "address", { isList: true })`
    !! ?? ???? ? !!  self hidden deactivated foreign
    !! +? ++++ + !!  shown
  `,
  row("PATCH /users/{user}", "user", { title: "name", params: () => ({ full_name: "New Name" }) })`
    !! -- --++ - !!  self bot
    !! -? --++ - !!  shares-channel shares-nothing deactivated
    !! -? ---+ - !!  owner
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/{user}", "address", { title: "name", params: () => ({ full_name: "New Name" }) })`
    !! -- --++ - !!  self
    !! -? --++ - !!  shown deactivated
    !! ?? ???? ? !!  hidden foreign
  `,
  row("PATCH /users/{user}", "user", { title: "role", params: () => ({ role: 300 }) })`
    !! -- --++ - !!  self bot
    !! -? --++ - !!  shares-channel shares-nothing deactivated
    !! -? ---+ - !!  owner
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/{user}", "user", { title: "to owner", params: () => ({ role: 100 }) })`
    !! -- ---+ - !!  self bot
    !! -? ---+ - !!  shares-channel shares-nothing owner deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/{user}", "user", {
    title: "address",
    params: () => ({ new_email: "new@rose.example" }),
  })`
    !! -- --++ - !!  self
    !! -? --++ - !!  shares-channel shares-nothing deactivated
    !! -? ---+ - !!  owner
    !! -- ---- - !!  bot
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/{user}", "user", {
    title: "profile",
    params: ({ targets }) => ({ profile_data: [{ id: targets.field.editable.id, value: "x" }] }),
  })`
    !! -- --++ - !!  self
    !! -? --++ - !!  shares-channel shares-nothing deactivated
    !! -? ---+ - !!  owner
    !! -- ---- - !!  bot
    !! ?? ???? ? !!  foreign
  `,
  row("DELETE /users/{user}", "user")`
    !! -- --++ ? !!  self
    !! -? --++ - !!  shares-channel shares-nothing
    !! -? ---+ - !!  owner
    !! ?? ???? ? !!  bot foreign
    !! -? ---- - !!  deactivated
  `,
  row("POST /users/{user}/reactivate", "user")`
    !! -- --++ - !!  self bot
    !! -? --++ - !!  shares-channel shares-nothing deactivated
    !! -? ---+ - !!  owner
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users/{user}/presence", "user")`
    !! -- ---- - !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing
    !! -? ---- - !!  owner
    !! ?? ???? ? !!  deactivated foreign
  `,
  row("GET /users/{user}/presence", "address")`
    !! -- ---- - !!  self
    !! +? ++++ + !!  shown
    !! ?? ???? ? !!  hidden deactivated foreign
  `,
  row("GET /users/{user_id}/status", "user")`
    !! ++ ++++ ? !!  self
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! ?? ???? ? !!  bot foreign
    !! -? ---- - !!  deactivated
  `,
  row("POST /users/{user_id}/status", "user", { params: () => ({ status_text: "away" }) })`
    !! -- --++ x !!  self
    !! -? --++ x !!  shares-channel shares-nothing owner
    !! ?? ???? x !!  bot foreign
    !! -? ---- x !!  deactivated
  `,
  row("POST /users/me/muted_users/{muted_user_id}", "user")`
    !! -- ---- - !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing deactivated
    !! +? +++- + !!  owner
    !! ?? ???? ? !!  foreign
  `,
  row("DELETE /users/me/muted_users/{muted_user_id}", "user")`
    !! -- ---- - !!  self
    !! -? ---- - !!  shares-channel shares-nothing owner deactivated
    !! ++ ++++ + !!  bot
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users/{user}/subscriptions/{stream_id}", "user", { path: joined })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! -? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /settings", "user", { title: "another user", params: ({ target }) => setting(target) })`
    !! xx xx++ x !!  self shares-channel shares-nothing owner deactivated
    !! xx xx?? x !!  bot foreign
  `,
];
