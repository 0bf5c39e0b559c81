import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const toChannel = ({ target }: Cell) => ({ stream_id: target.id });
const ofStranger = ({ org, target }: Cell) => ({ user: org.stranger.id, stream_id: target.id });

/** Operations on channels. */
export const CHANNEL_ROWS: readonly Row[] = [
  row("GET /streams/{stream_id}", "channel")`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("GET /get_stream_id", "channel", { params: ({ target }) => ({ stream: target.name }) })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("GET /streams/{stream_id}/email_address", "channel")`
    !! -- ---- - !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ---- - !!  public administered
    !! ?? ??-- ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("GET /streams/{stream_id}/members", "channel")`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected
    !! ?? ???? ? !!  archived-joined archived foreign
  `,
  row("GET /users/me/{stream_id}/topics", "channel")`
    !+ ++ ++++ + !!  web-public
    !? ?? ++++ + !!  public
    !? ++ ++++ + !!  public-joined shared-joined protected-joined
    !? ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("GET /users/{user}/subscriptions/{stream_id}", "channel", { path: ofStranger })`
    !! +? ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected
    !! ?? ???? ? !!  archived-joined archived foreign
  `,
  row("PATCH /streams/{stream_id}", "channel", {
    title: "description",
    params: () => ({ description: "new" }),
  })`
    !! -- -+++ - !!  web-public
    !! ?? --++ - !!  public
    !! -- --++ - !!  public-joined shared-joined protected-joined archived-joined
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ++++ + !!  administered
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /streams/{stream_id}", "channel", {
    title: "privacy",
    params: () => ({ is_private: true, is_web_public: false, history_public_to_subscribers: true }),
  })`
    !! -- -+++ - !!  web-public
    !! ?? --++ - !!  public
    !! -- --++ - !!  public-joined shared-joined protected-joined archived-joined
    !! ?? ??-- ? !!  shared protected archived
    !! ?? ---- - !!  administered
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /streams/{stream_id}", "channel", {
    title: "who may add subscribers",
    params: ({ org }) => ({
      can_add_subscribers_group: { new: { direct_members: [org.keeper.id], direct_subgroups: [] } },
    }),
  })`
    !! -- -+++ - !!  web-public
    !! ?? --++ - !!  public
    !! -- --++ - !!  public-joined shared-joined protected-joined archived-joined
    !! ?? ??-- ? !!  shared protected archived
    !! ?? ---- - !!  administered
    !! ?? ???? ? !!  foreign
  `,
  row("DELETE /streams/{stream_id}", "channel")`
    !! -- -+++ - !!  web-public
    !! ?? --++ - !!  public
    !! -- --++ - !!  public-joined shared-joined protected-joined archived-joined
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ++++ + !!  administered
    !! ?? ???? ? !!  foreign
  `,
  row("POST /default_streams", "channel", { params: toChannel })`
    !! xx xx++ x !!  web-public public public-joined
    !! xx xx-- x !!  shared shared-joined protected protected-joined administered
    !! xx xx?? x !!  archived-joined archived foreign
  `,
  row("DELETE /default_streams", "channel", { params: toChannel })`
    !! xx xx++ x !!  web-public public public-joined shared shared-joined protected
    !! xx xx++ x !!  protected-joined administered
    !! xx xx?? x !!  archived-joined archived foreign
  `,
  row("PATCH /realm", "channel", {
    title: "announcements",
    params: ({ target }) => ({ new_stream_announcements_stream_id: target.id }),
  })`
    !! xx xx++ x !!  web-public public public-joined shared shared-joined protected
    !! xx xx++ x !!  protected-joined administered
    !! xx xx?? x !!  archived-joined archived foreign
  `,
];

/** Lists of channels. */
export const CHANNEL_LIST_ROWS: readonly Row[] = [
  row("GET /streams", "channel", {
    isList: true,
    params: () => ({ include_web_public: true, exclude_archived: false }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
  `,
  row("GET /streams", "channel", {
    title: "all",
    isList: true,
    params: () => ({ include_all: true, exclude_archived: false }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined archived-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected archived
    !! ?? ???? ? !!  foreign
  `,
  row("GET /users/{user}/channels", "channel", {
    listsIds: true,
    path: ({ org }) => ({ user: org.keeper.id }),
  })`
    !! +- ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?- ++++ + !!  public administered
    !! ?- ??++ ? !!  shared protected
    !! ?- ???? ? !!  archived-joined archived foreign
  `,
  row("GET /users/me/subscriptions", "channel", { isList: true })`
    !! ?? ???? ? !!  web-public public shared protected administered archived-joined archived
    !! ?? ???? ? !!  foreign
    !! ++ ++++ + !!  public-joined shared-joined protected-joined
  `,
  row("POST /register", "channel", {
    isList: true,
    params: () => ({ client_capabilities: { archived_channels: true } }),
  })`
    !+ ++ ++++ + !!  web-public
    !? ?? ++++ + !!  public administered
    !? ++ ++++ + !!  public-joined shared-joined protected-joined archived-joined
    !? ?? ??++ ? !!  shared protected archived
    !? ?? ???? ? !!  foreign
  `,
  row("GET /messages", "channel", {
    title: "names in messages",
    isList: true,
    params: () => ({ anchor: "newest", num_before: 100, num_after: 0 }),
  })`
    !! ?? ???? ? !!  web-public public shared protected administered archived foreign
    !! ++ ++++ + !!  public-joined shared-joined protected-joined archived-joined
  `,
];
