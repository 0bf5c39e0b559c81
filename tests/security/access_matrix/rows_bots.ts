import { idOf } from "@/tests/casts/access_matrix/organization.ts";
import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const byKey = ({ target }: Cell) => ({ keys: [target.id] });

/** Operations on bots and on what they store. */
export const BOT_ROWS: readonly Row[] = [
  row("GET /bots", "bot", { isList: true })`
    !! xx ++++ x !!  own
    !! xx ???? x !!  others deactivated no-bot foreign
  `,
  row("POST /bots", "nothing", { params: () => ({ full_name: "New", short_name: "new" }) })`
    !! xx ++++ x !!  any
  `,
  row("PATCH /bots/{bot_id}", "bot", { title: "name", params: () => ({ full_name: "New Name" }) })`
    !! xx ++++ x !!  own
    !! xx --++ x !!  others
    !! xx ---- x !!  deactivated
    !! xx ???? x !!  no-bot foreign
  `,
  row("PATCH /bots/{bot_id}", "bot", { title: "role", params: () => ({ role: 200 }) })`
    !! xx --++ x !!  own others
    !! xx ---- x !!  deactivated
    !! xx ???? x !!  no-bot foreign
  `,
  row("PATCH /bots/{bot_id}", "user", {
    title: "owner of the own bot",
    path: ({ targets, caller }) => ({ bot_id: idOf(targets.bot, "own", caller.name) }),
    params: ({ target }) => ({ bot_owner_id: target.id }),
  })`
    !! xx ++++ x !!  self shares-channel shares-nothing owner
    !! xx ---- x !!  bot deactivated
    !! xx ???? x !!  foreign
  `,
  row("DELETE /bots/{bot_id}", "bot")`
    !! xx ++++ x !!  own
    !! xx --++ x !!  others
    !! xx ---- x !!  deactivated
    !! xx ???? x !!  no-bot foreign
  `,
  row("GET /bots/{bot_id}/api_key", "bot")`
    !! xx ++++ x !!  own
    !! xx ---- x !!  others deactivated
    !! xx ???? x !!  no-bot foreign
  `,
  row("GET /bots/{bot_id}/deliveries", "bot")`
    !! xx ++++ x !!  own
    !! xx --++ x !!  others
    !! xx --++ x !!  deactivated
    !! xx ???? x !!  no-bot foreign
  `,
  row("POST /external/json", "nothing")`
    !! !! !!!! ! !!  any
  `,
  row("POST /bots/{bot_id}/api_key/regenerate", "bot")`
    !! xx ++++ x !!  own
    !! xx --++ x !!  others
    !! xx ---- x !!  deactivated
    !! xx ???? x !!  no-bot foreign
  `,
  row("GET /bot_storage", "storage", { isList: true })`
    !! xx xxxx + !!  own
    !! xx xxxx ? !!  others foreign
  `,
  row("GET /bot_storage", "storage", { title: "by key", params: byKey })`
    !! xx xxxx + !!  own
    !! xx xxxx ? !!  others foreign
  `,
  row("PUT /bot_storage", "nothing", { params: () => ({ storage: { key: "value" } }) })`
    !! xx xxxx + !!  any
  `,
  row("DELETE /bot_storage", "storage", { params: byKey })`
    !! xx xxxx + !!  own
    !! xx xxxx ? !!  others foreign
  `,
];
