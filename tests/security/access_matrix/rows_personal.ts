import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";
import { keyGroup, tokenGroup } from "@/tests/casts/devices_cast.ts";
import { PASSWORD } from "@/tests/helpers/chat.ts";

const SHOWN = { starred_message_counts: false };
const SNIPPET = { title: "new", content: "new" };
const DRAFT = { type: "", to: [], topic: "", content: "new" };
const TOKEN = { token: "abc" };
const toQueue = ({ target }: Cell) => ({ queue_id: target.id, last_event_id: -1, dont_block: true });

/** Operations on drafts, saved snippets, alert words, navigation views, devices and event queues. */
export const PERSONAL_ROWS: readonly Row[] = [
  row("GET /drafts", "draft", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /drafts", "nothing", { params: () => ({ drafts: [DRAFT] }) })`
    !! ++ ++++ + !!  any
  `,
  row("PATCH /drafts/{draft_id}", "draft", { params: () => ({ draft: DRAFT }) })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("DELETE /drafts/{draft_id}", "draft")`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("GET /saved_snippets", "snippet", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /register", "snippet", { isList: true })`
    !? ++ ++++ + !!  own
    !? ?? ???? ? !!  others foreign
  `,
  row("POST /saved_snippets", "nothing", { params: () => SNIPPET })`
    !! ++ ++++ + !!  any
  `,
  row("PATCH /saved_snippets/{saved_snippet_id}", "snippet", { params: () => SNIPPET })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("DELETE /saved_snippets/{saved_snippet_id}", "snippet")`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("GET /users/me/alert_words", "alert-word", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /register", "alert-word", { isList: true })`
    !? ++ ++++ + !!  own
    !? ?? ???? ? !!  others foreign
  `,
  row("POST /users/me/alert_words", "nothing", { params: () => ({ alert_words: ["new"] }) })`
    !! ++ ++++ + !!  any
  `,
  row("DELETE /users/me/alert_words", "alert-word", {
    params: ({ target }) => ({ alert_words: [target.name] }),
  })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("GET /navigation_views", "view", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /register", "view", { isList: true })`
    !? ++ ++++ + !!  own
    !? ?? ???? ? !!  others foreign
  `,
  row("POST /navigation_views", "nothing", {
    params: () => ({ fragment: "new", is_pinned: true, name: "new" }),
  })`
    !! ++ ++++ + !!  any
  `,
  row("PATCH /navigation_views/{fragment}", "view", { params: () => ({ is_pinned: true }) })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("DELETE /navigation_views/{fragment}", "view")`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /register_client_device", "nothing")`
    !! ++ ++++ x !!  any
  `,
  row("POST /remove_client_device", "device", { params: ({ target }) => ({ device_id: target.id }) })`
    !! ++ ++++ x !!  own
    !! ?? ???? x !!  others foreign
  `,
  row("POST /mobile_push/register", "device", {
    params: ({ target }) => ({ device_id: target.id, ...keyGroup(), ...tokenGroup() }),
  })`
    !! ++ ++++ x !!  own
    !! ?? ???? x !!  others foreign
  `,
  row("POST /mobile_push/e2ee/test_notification", "device", {
    params: ({ target }) => ({ device_id: target.id }),
  })`
    !! -- ---- x !!  own
    !! ?? ???? x !!  others foreign
  `,
  row("POST /mobile_push/test_notification", "nothing")`
    !! -- ---- x !!  any
  `,
  row("POST /users/me/android_gcm_reg_id", "nothing", { params: () => TOKEN })`
    !! -- ---- x !!  any
  `,
  row("DELETE /users/me/android_gcm_reg_id", "nothing", { params: () => TOKEN })`
    !! -- ---- x !!  any
  `,
  row("POST /users/me/apns_device_token", "nothing", { params: () => TOKEN })`
    !! -- ---- x !!  any
  `,
  row("DELETE /users/me/apns_device_token", "nothing", { params: () => TOKEN })`
    !! -- ---- x !!  any
  `,
  row("GET /events", "queue", { params: toQueue })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("DELETE /events", "queue", { params: ({ target }) => ({ queue_id: target.id }) })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
];

/** Operations of an account on itself. */
export const OWN_ROWS: readonly Row[] = [
  row("GET /users/me", "nothing")`
    !! ++ ++++ + !!  any
  `,
  row("DELETE /users/me", "nothing")`
    !! ++ ++++ x !!  any
  `,
  row("POST /users/me/api_key/regenerate", "nothing")`
    !! ++ ++++ + !!  any
  `,
  row("POST /users/me/avatar", "nothing", { hasFile: true })`
    !! ++ ++++ + !!  any
  `,
  row("DELETE /users/me/avatar", "nothing")`
    !! ++ ++++ + !!  any
  `,
  row("POST /users/me/presence", "nothing", { params: () => ({ status: "active" }) })`
    !! ++ ++++ x !!  any
  `,
  row("POST /users/me/status", "nothing", { params: () => ({ status_text: "away" }) })`
    !! ++ ++++ x !!  any
  `,
  row("PATCH /settings", "nothing", { params: () => SHOWN })`
    !! ++ ++++ x !!  any
  `,
  row("PATCH /settings/display", "nothing", { params: () => SHOWN })`
    !! ++ ++++ x !!  any
  `,
  row("PATCH /settings/notifications", "nothing", { params: () => SHOWN })`
    !! ++ ++++ x !!  any
  `,
  row("POST /mark_all_as_read", "nothing")`
    !! ++ ++++ + !!  any
  `,
  row("POST /channels/create", "nothing", { params: () => ({ name: "new", subscribers: [] }) })`
    !! xx ++++ + !!  any
  `,
  row("POST /user_groups/create", "nothing", {
    params: () => ({ name: "new", description: "", members: [] }),
  })`
    !! xx ++++ + !!  any
  `,
  row("POST /users", "nothing", {
    params: () => ({ email: "new@rose.example", password: PASSWORD, full_name: "New" }),
  })`
    !! xx xx++ x !!  any
  `,
  row("POST /messages/render", "nothing", { params: () => ({ content: "hi" }) })`
    !! ++ ++++ + !!  any
  `,
  row("POST /calls/videoprovider/create", "nothing")`
    !! -- ---- x !!  any
  `,
];
