import { THUMBNAIL_FORMAT } from "@/lib/chat/organization/files/model.ts";
import { type Cell, type Row, row } from "@/tests/casts/access_matrix/row.ts";

/** Returns the id of the organization in the path of a file. */
const realmIdOf = ({ target }: Pick<Cell, "target">) => target.name.split("/")[2] ?? "";

/** Operations on files. */
export const FILE_ROWS: readonly Row[] = [
  row("GET /user_uploads/{realm_id}/{path}", "file", {
    path: (cell) => ({ realm_id: realmIdOf(cell) }),
  })`
    !! ++ ++++ + !!  own web-public public-joined shared-joined protected-joined direct
    !! -- ---- - !!  others shared protected direct-others
    !! -- ++++ + !!  public
    !! ?? ???? ? !!  foreign
  `,
  row("GET /user_uploads/thumbnail/{realm_id}/{path}", "file", {
    path: (cell) => ({ realm_id: realmIdOf(cell), path: `${cell.target.id}/${THUMBNAIL_FORMAT.name}` }),
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
