import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const toChannel = ({ target }: Cell) => ({ stream_id: target.id });
const inList = ({ target }: Cell) => ({ subscriptions: [target.name] });
const joining = ({ target }: Cell) => ({ subscriptions: [{ name: target.name }] });
const toMuted = (cell: Cell) => ({ property: "is_muted", value: true, ...toChannel(cell) });

/** Operations on subscriptions. */
export const SUBSCRIPTION_ROWS: readonly Row[] = [
  row("POST /users/me/subscriptions", "channel", { params: joining })`
    !! xx ++++ + !!  web-public public public-joined shared-joined protected-joined foreign
    !! xx ---- - !!  shared protected administered archived-joined archived
  `,
  row("POST /users/me/subscriptions", "channel", {
    title: "another user",
    params: (cell) => ({ ...joining(cell), principals: [cell.org.stranger.id] }),
  })`
    !! xx ++++ + !!  web-public public public-joined shared-joined protected-joined foreign
    !! xx ---- - !!  shared protected administered archived-joined archived
  `,
  row("DELETE /users/me/subscriptions", "channel", { params: inList })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public administered
    !! ?? ??++ ? !!  shared protected
    !! -- ---- - !!  archived-joined
    !! ?? ??-- ? !!  archived
    !! ?? ???? ? !!  foreign
  `,
  row("DELETE /users/me/subscriptions", "channel", {
    title: "another user",
    params: (cell) => ({ ...inList(cell), principals: [cell.org.keeper.id] }),
  })`
    !! -? -+++ - !!  web-public
    !! ?? --++ - !!  public
    !! -? --++ - !!  public-joined shared-joined protected-joined
    !! ?? ??++ ? !!  shared protected
    !! ?? ++++ + !!  administered
    !! -? ---- - !!  archived-joined
    !! ?? ??-- ? !!  archived
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /users/me/subscriptions", "channel", {
    title: "add",
    params: ({ target }) => ({ add: [{ name: target.name }] }),
  })`
    !! xx ++++ + !!  web-public public public-joined shared-joined protected-joined foreign
    !! xx ---- - !!  shared protected administered archived-joined archived
  `,
  row("PATCH /users/me/subscriptions", "channel", {
    title: "delete",
    params: ({ target }) => ({ delete: [target.name] }),
  })`
    !! xx ++++ + !!  web-public public public-joined shared-joined protected-joined administered
    !! xx ??++ ? !!  shared protected
    !! xx ---- - !!  archived-joined
    !! xx ??-- ? !!  archived
    !! xx ???? ? !!  foreign
  `,
  row("PATCH /users/me/subscriptions/{stream_id}", "channel", { params: toMuted })`
    !! -- ---- - !!  web-public
    !! ?? ---- - !!  public
    !! ++ ++++ + !!  public-joined shared-joined protected-joined
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
  row("POST /users/me/subscriptions/properties", "channel", {
    params: (cell) => ({ subscription_data: [toMuted(cell)] }),
  })`
    !! -- ---- - !!  web-public
    !! ?? ---- - !!  public
    !! ++ ++++ + !!  public-joined shared-joined protected-joined
    !! ?? ???? ? !!  shared protected administered archived-joined archived foreign
  `,
];
