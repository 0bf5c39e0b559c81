import { idOf } from "@/tests/casts/access_matrix/organization.ts";
import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";
import { inSeconds } from "@/tests/casts/scheduled_cast.ts";

const inAnHour = ({ org }: Cell) => ({ scheduled_delivery_timestamp: inSeconds(org.chat, 3600) });
const toChannel = ({ target }: Cell) => ({ type: "channel", to: target.id, topic: "plans" });
const toUser = ({ target }: Cell) => ({ type: "direct", to: [target.id] });
const ownScheduled = ({ targets, caller }: Cell) => ({
  scheduled_message_id: idOf(targets.scheduled, "own", caller.name),
});

/** Operations on scheduled messages and reminders. */
export const SCHEDULED_ROWS: readonly Row[] = [
  row("GET /scheduled_messages", "scheduled", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /register", "scheduled", { isList: true })`
    !? ++ ++++ + !!  own
    !? ?? ???? ? !!  others foreign
  `,
  row("POST /scheduled_messages", "channel", {
    params: (cell) => ({ ...toChannel(cell), ...inAnHour(cell), content: "hi" }),
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
    !! -- ---- - !!  archived-joined
  `,
  row("POST /scheduled_messages", "user", {
    params: (cell) => ({ ...toUser(cell), ...inAnHour(cell), content: "hi" }),
  })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! -? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /scheduled_messages/{scheduled_message_id}", "scheduled", {
    params: () => ({ content: "new" }),
  })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("PATCH /scheduled_messages/{scheduled_message_id}", "channel", {
    title: "move the own message there",
    path: ownScheduled,
    params: toChannel,
  })`
    !! ++ ++++ + !!  web-public public-joined shared-joined protected-joined
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected administered archived foreign
    !! -- ---- - !!  archived-joined
  `,
  row("PATCH /scheduled_messages/{scheduled_message_id}", "user", {
    title: "redirect the own message",
    path: ownScheduled,
    params: toUser,
  })`
    !! ++ ++++ + !!  self bot
    !! +? ++++ + !!  shares-channel shares-nothing owner
    !! -? ---- - !!  deactivated
    !! ?? ???? ? !!  foreign
  `,
  row("DELETE /scheduled_messages/{scheduled_message_id}", "scheduled")`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("GET /reminders", "reminder", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /register", "reminder", { isList: true })`
    !? ++ ++++ + !!  own
    !? ?? ???? ? !!  others foreign
  `,
  row("POST /reminders", "message", {
    params: (cell) => ({ ...inAnHour(cell), message_id: cell.target.id }),
  })`
    !! ++ ++++ + !!  web-public public-joined own shared-earlier protected-joined archived-joined
    !! ++ ++++ + !!  direct
    !! ?? ++++ + !!  public
    !! ?? ???? ? !!  shared protected-earlier protected administered archived direct-others foreign
  `,
  row("DELETE /reminders/{reminder_id}", "reminder")`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
];
