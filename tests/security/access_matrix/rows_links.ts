import { type Row, siteRow } from "@/tests/casts/access_matrix/row.ts";

/** Operations that manage short links. */
export const LINK_ROWS: readonly Row[] = [
  siteRow("GET /links", "short", { isList: true, params: () => ({ q: "rose" }) })`
    !! xx xx++ x !!  stored
  `,
  siteRow("POST /links", "nothing", { params: () => ({ url: "https://rose.example/new" }) })`
    !! xx xx++ x !!  any
  `,
  siteRow("PATCH /links", "short", {
    params: ({ target }) => ({ shorts: [target.id], addedTags: ["garden"] }),
  })`
    !! xx xx++ x !!  stored
  `,
  siteRow("DELETE /links", "short", {
    params: ({ target }) => ({ shorts: [target.id], visits: "keep" }),
  })`
    !! xx xx++ x !!  stored
  `,
  siteRow("GET /links/{short}", "short")`
    !! xx xx++ x !!  stored
  `,
  siteRow("PATCH /links/{short}", "short", { params: () => ({ isDisabled: true }) })`
    !! xx xx++ x !!  stored
  `,
  siteRow("DELETE /links/{short}", "short", { params: () => ({ visits: "keep" }) })`
    !! xx xx++ x !!  stored
  `,
  siteRow("GET /links/{short}/qr", "short")`
    !! xx xx++ x !!  stored
  `,
  siteRow("GET /blocked-hosts", "nothing")`
    !! xx xx++ x !!  any
  `,
  siteRow("POST /blocked-hosts", "nothing", { params: () => ({ host: "spam.example" }) })`
    !! xx xx++ x !!  any
  `,
  siteRow("DELETE /blocked-hosts/{host}", "nothing", { path: () => ({ host: "blocked.example" }) })`
    !! xx xx++ x !!  any
  `,
];
