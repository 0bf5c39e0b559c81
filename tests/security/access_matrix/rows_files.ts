import { type Row, row } from "@/tests/casts/access_matrix/row.ts";

/** Operations on files. */
export const FILE_ROWS: readonly Row[] = [
  row("GET /user_uploads/{realm_id}/{path}", "file", {
    path: ({ target }) => ({ realm_id: target.name.split("/")[2] ?? "" }),
  })`
    !! ++ ++++ + !!  own web-public public-joined shared-joined protected-joined direct
    !! -- ---- - !!  others shared protected direct-others
    !! -- ++++ + !!  public
    !! ?? ???? ? !!  foreign
  `,
  row("GET /attachments", "attachment", { isList: true })`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("DELETE /attachments/{attachment_id}", "attachment")`
    !! ++ ++++ + !!  own
    !! ?? ???? ? !!  others foreign
  `,
  row("POST /user_uploads", "nothing", { hasFile: true })`
    !! ++ ++++ + !!  any
  `,
];
