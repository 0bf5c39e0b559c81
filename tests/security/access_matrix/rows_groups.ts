import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const KEEPER = ({ org }: Cell) => ({ add: [org.stranger.id] });
const asSubgroup = ({ target }: Cell) => ({ add_subgroups: [target.id] });
const memberIn = ({ org, target }: Cell) => ({ user_group_id: target.id, user_id: org.keeper.id });
const invitation = ({ target }: Cell) => ({ stream_ids: [], group_ids: [target.id] });

/** Operations on user groups. */
export const GROUP_ROWS: readonly Row[] = [
  row("GET /user_groups", "group", { isList: true })`
    !! xx ++++ + !!  active managed member system
    !! xx ???? ? !!  deactivated foreign
  `,
  row("GET /user_groups", "group", {
    title: "deactivated too",
    isList: true,
    params: () => ({ include_deactivated_groups: true }),
  })`
    !! xx ++++ + !!  active managed member deactivated system
    !! xx ???? ? !!  foreign
  `,
  row("POST /register", "group", { isList: true })`
    !? ++ ++++ + !!  active managed member
    !? ?? ???? ? !!  deactivated foreign
    !+ ++ ++++ + !!  system
  `,
  row("PATCH /user_groups/{user_group_id}", "group", { params: () => ({ description: "new" }) })`
    !! xx ---+ - !!  active member deactivated
    !! xx ++++ + !!  managed
    !! xx ---- - !!  system
    !! xx ???? ? !!  foreign
  `,
  row("PATCH /user_groups/{user_group_id}", "group", {
    title: "reactivate",
    params: () => ({ deactivated: false }),
  })`
    !! xx ---+ - !!  active member deactivated
    !! xx ++++ + !!  managed
    !! xx ---- - !!  system
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/{user_group_id}/deactivate", "group")`
    !! -- ---+ - !!  active member
    !! -- ++++ + !!  managed
    !! -- ---- - !!  deactivated system
    !! ?? ???? ? !!  foreign
  `,
  row("DELETE /user_groups/{user_group_id}", "group")`
    !! -- ---+ - !!  active member
    !! -- ++++ + !!  managed
    !! -- ---- - !!  deactivated system
    !! ?? ???? ? !!  foreign
  `,
  row("GET /user_groups/{user_group_id}/members", "group")`
    !! xx ++++ + !!  active managed member deactivated system
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/{user_group_id}/members", "group", { title: "add", params: KEEPER })`
    !! xx ---+ - !!  active member deactivated
    !! xx ++++ + !!  managed
    !! xx ---- - !!  system
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/{user_group_id}/members", "group", {
    title: "leave",
    params: ({ caller }) => ({ delete: [caller.account?.id ?? 0] }),
  })`
    !! xx ---- - !!  active managed deactivated system
    !! xx ++++ + !!  member
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/{user_group_id}/members", "group", {
    title: "as a subgroup",
    path: ({ targets }) => ({ user_group_id: targets.group.managed.id }),
    params: asSubgroup,
  })`
    !! xx ++++ + !!  active member system
    !! xx ---- - !!  managed deactivated
    !! xx ???? ? !!  foreign
  `,
  row("GET /user_groups/{user_group_id}/members/{user_id}", "group", { path: memberIn })`
    !! xx ++++ + !!  active managed member deactivated system
    !! xx ???? ? !!  foreign
  `,
  row("GET /user_groups/{user_group_id}/subgroups", "group")`
    !! xx ++++ + !!  active managed member deactivated system
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/{user_group_id}/subgroups", "group", {
    params: ({ targets }) => ({ add: [targets.group.active.id] }),
  })`
    !! xx ---- - !!  active system
    !! xx ++++ + !!  managed
    !! xx ---+ - !!  member deactivated
    !! xx ???? ? !!  foreign
  `,
  row("POST /user_groups/create", "group", {
    title: "subgroup",
    params: ({ target }) => ({ name: "new", description: "", members: [], subgroups: [target.id] }),
  })`
    !! xx ++++ + !!  active managed member system
    !! xx ---- - !!  deactivated
    !! xx ???? ? !!  foreign
  `,
  row("PATCH /streams/{stream_id}", "group", {
    title: "permission of a channel",
    path: ({ targets }) => ({ stream_id: targets.channel.administered.id }),
    params: ({ target }) => ({ can_send_message_group: { new: target.id } }),
  })`
    !! ?? ++++ + !!  active managed member system
    !! ?? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /realm", "group", {
    title: "permission",
    params: ({ target }) => ({ can_create_groups: { new: target.id } }),
  })`
    !! xx xxx+ x !!  active managed member system
    !! xx xxx- x !!  deactivated
    !! xx xxx? x !!  foreign
  `,
  row("POST /invites", "group", {
    params: (cell) => ({ ...invitation(cell), invitee_emails: "new@rose.example" }),
  })`
    !! xx ---+ x !!  active member
    !! xx ++++ x !!  managed
    !! xx ???? x !!  deactivated foreign
    !! xx ---- x !!  system
  `,
  row("POST /invites/multiuse", "group", { params: invitation })`
    !! xx ---+ x !!  active member
    !! xx ++++ x !!  managed
    !! xx ???? x !!  deactivated foreign
    !! xx ---- x !!  system
  `,
  row("POST /messages/render", "group", {
    title: "mention",
    params: ({ target }) => ({ content: `@*${target.name}*` }),
  })`
    !! ++ ++++ + !!  active managed member
    !! ?? ???? ? !!  deactivated foreign
    !! -- ---- - !!  system
  `,
];
