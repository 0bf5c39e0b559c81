import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

const LINKIFIER = { pattern: "NEW", url_template: "https://x.example/" };
const PLAYGROUND = { name: "new", pygments_language: "Python", url_template: "https://x.example/{code}" };
const inFolder = ({ target }: Cell) => ({ folder_id: target.id });
const administered = ({ targets }: Cell) => ({ stream_id: targets.channel.administered.id });
const reaction = ({ target }: Cell) => ({ emoji_name: target.name });
const joinedMessage = ({ targets }: Cell) => ({ message_id: targets.message["public-joined"].id });

/** Operations on channel folders, linkifiers, code playgrounds, profile fields, custom emoji, data exports and domains. */
export const REALM_ROWS: readonly Row[] = [
  row("GET /channel_folders", "folder", { isList: true })`
    !! ++ ++++ + !!  active
    !! ?? ???? ? !!  archived foreign
  `,
  row("GET /channel_folders", "folder", {
    title: "archived too",
    isList: true,
    params: () => ({ include_archived: true }),
  })`
    !! ++ ++++ + !!  active archived
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /channel_folders", "nothing", {
    params: ({ targets: { folder } }) => ({ order: [folder.active.id, folder.archived.id] }),
  })`
    !! xx xx++ x !!  any
  `,
  row("PATCH /channel_folders", "folder", {
    title: "one of them",
    params: ({ target }) => ({ order: [target.id] }),
  })`
    !! xx xx?? x !!  active archived foreign
  `,
  row("POST /channel_folders/create", "nothing", { params: () => ({ name: "new", description: "" }) })`
    !! xx xx++ x !!  any
  `,
  row("PATCH /channel_folders/{folder_id}", "folder", { params: () => ({ description: "new" }) })`
    !! xx xx++ x !!  active archived
    !! xx xx?? x !!  foreign
  `,
  row("PATCH /streams/{stream_id}", "folder", {
    title: "folder",
    path: administered,
    params: inFolder,
  })`
    !! ?? ++++ + !!  active
    !! ?? ???? ? !!  archived foreign
  `,
  row("POST /channels/create", "folder", {
    params: (cell) => ({ ...inFolder(cell), name: "new", subscribers: [] }),
  })`
    !! xx ++++ + !!  active
    !! xx ???? ? !!  archived foreign
  `,
  row("GET /realm/linkifiers", "linkifier", { isList: true })`
    !! ++ ++++ + !!  active
    !! ?? ???? ? !!  foreign
  `,
  row("PATCH /realm/linkifiers", "linkifier", {
    params: ({ target }) => ({ ordered_linkifier_ids: [target.id] }),
  })`
    !! xx xx++ x !!  active
    !! xx xx?? x !!  foreign
  `,
  row("POST /realm/filters", "nothing", { params: () => LINKIFIER })`
    !! xx xx++ x !!  any
  `,
  row("PATCH /realm/filters/{filter_id}", "linkifier", { params: () => LINKIFIER })`
    !! xx xx++ x !!  active
    !! xx xx?? x !!  foreign
  `,
  row("DELETE /realm/filters/{filter_id}", "linkifier")`
    !! xx xx++ x !!  active
    !! xx xx?? x !!  foreign
  `,
  row("POST /register", "playground", { isList: true })`
    !+ ++ ++++ + !!  active
    !? ?? ???? ? !!  foreign
  `,
  row("POST /realm/playgrounds", "nothing", { params: () => PLAYGROUND })`
    !! xx xx++ x !!  any
  `,
  row("DELETE /realm/playgrounds/{playground_id}", "playground")`
    !! xx xx++ x !!  active
    !! xx xx?? x !!  foreign
  `,
  row("GET /realm/profile_fields", "field", { isList: true })`
    !! ++ ++++ + !!  editable fixed
    !! ?? ???? ? !!  foreign
  `,
  row("POST /realm/profile_fields", "nothing", { params: () => ({ name: "new", field_type: 1 }) })`
    !! xx xx++ x !!  any
  `,
  row("PATCH /realm/profile_fields", "nothing", {
    params: ({ targets: { field } }) => ({ order: [field.fixed.id, field.editable.id] }),
  })`
    !! xx xx++ x !!  any
  `,
  row("PATCH /realm/profile_fields", "field", {
    title: "one of them",
    params: ({ target }) => ({ order: [target.id] }),
  })`
    !! xx xx?? x !!  editable fixed foreign
  `,
  row("PATCH /realm/profile_fields/{field_id}", "field", { params: () => ({ hint: "new" }) })`
    !! xx xx++ x !!  editable fixed
    !! xx xx?? x !!  foreign
  `,
  row("DELETE /realm/profile_fields/{field_id}", "field")`
    !! xx xx++ x !!  editable fixed
    !! xx xx?? x !!  foreign
  `,
  row("PATCH /users/me/profile_data", "field", {
    params: ({ target }) => ({ data: [{ id: target.id, value: "x" }] }),
  })`
    !! ++ ++++ x !!  editable
    !! -- --++ x !!  fixed
    !! ?? ???? x !!  foreign
  `,
  row("DELETE /users/me/profile_data", "field", { params: ({ target }) => ({ data: [target.id] }) })`
    !! ++ ++++ x !!  editable
    !! -- --++ x !!  fixed
    !! ?? ???? x !!  foreign
  `,
  row("GET /realm/emoji", "emoji", { isList: true })`
    !! ++ ++++ + !!  own others
    !! ?? ???? ? !!  foreign
  `,
  row("POST /realm/emoji/{emoji_name}", "emoji", { hasFile: true })`
    !! xx ---- x !!  own others
    !! xx ++++ x !!  foreign
  `,
  row("DELETE /realm/emoji/{emoji_name}", "emoji")`
    !! xx ++++ x !!  own
    !! xx --++ x !!  others
    !! xx ???? x !!  foreign
  `,
  row("POST /messages/{message_id}/reactions", "emoji", {
    path: joinedMessage,
    params: reaction,
  })`
    !! ++ ++++ + !!  own others
    !! ?? ???? ? !!  foreign
  `,
  row("POST /users/me/status", "emoji", { params: reaction })`
    !! ++ ++++ x !!  own others
    !! ?? ???? x !!  foreign
  `,
  row("POST /export/realm", "nothing")`
    !! xx xx++ x !!  any
  `,
  row("GET /export/realm", "export", { isList: true })`
    !! xx xx++ x !!  complete
    !! xx xx?? x !!  foreign
  `,
  row("DELETE /export/realm/{export_id}", "export")`
    !! xx xx++ x !!  complete
    !! xx xx?? x !!  foreign
  `,
  row("GET /export/realm/consents", "nothing")`
    !! xx xx++ x !!  any
  `,
  row("GET /realm/domains", "domain", { isList: true })`
    !! ++ ++++ + !!  listed
    !! ?? ???? ? !!  foreign
  `,
  row("POST /realm/domains", "nothing", {
    params: () => ({ domain: "new.example", allow_subdomains: false }),
  })`
    !! xx xxx+ x !!  any
  `,
  row("PATCH /realm/domains/{domain}", "domain", { params: () => ({ allow_subdomains: true }) })`
    !! xx xxx+ x !!  listed
    !! xx xxx? x !!  foreign
  `,
  row("DELETE /realm/domains/{domain}", "domain")`
    !! xx xxx+ x !!  listed
    !! xx xxx? x !!  foreign
  `,
  row("PATCH /realm", "nothing", { params: () => ({ description: "new" }) })`
    !! xx xx++ x !!  any
  `,
  row("PATCH /realm/user_settings_defaults", "nothing", { params: () => ({ enter_sends: true }) })`
    !! xx xx++ x !!  any
  `,
  row("POST /realm/icon", "nothing", { hasFile: true })`
    !! xx xx++ x !!  any
  `,
  row("DELETE /realm/icon", "nothing")`
    !! xx xx++ x !!  any
  `,
];
