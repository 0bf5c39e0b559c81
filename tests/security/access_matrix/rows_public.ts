import { type Cell, type Row, row, siteRow } from "@/tests/casts/access_matrix/row.ts";
import { PASSWORD } from "@/tests/helpers/chat.ts";

const inNamedRealm = ({ target }: Cell) => ({ realm_id: target.name.split("/")[2] ?? "" });

/** Operations that need no account, or credentials of their own. */
export const PUBLIC_ROWS: readonly Row[] = [
  row("GET /server_settings", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  row("POST /fetch_api_key", "address", {
    params: ({ target }) => ({ username: target.id, password: PASSWORD }),
  })`
    ++ ++ ++++ ! +-  self
    ++ ++ ++++ + ++  shown hidden
    -- -- ---- - --  deactivated
    !! !! !!!! ! !!  foreign
  `,
  row("POST /fetch_api_key", "address", {
    title: "wrong password",
    params: ({ target }) => ({ username: target.id, password: "wrong" }),
  })`
    !! !! !!!! ! !!  self shown hidden deactivated foreign
  `,
  row("POST /jwt/fetch_api_key", "nothing", { params: () => ({ token: "a.b.c" }) })`
    -- -- ---- - --  any
  `,
  row("POST /remotes/push/e2ee/register", "nothing")`
    !! !! !!!! ! !!  any
  `,
  row("POST /remotes/push/e2ee/notify", "nothing")`
    !! !! !!!! ! !!  any
  `,
  siteRow("GET /avatar/{id}", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /avatar/{id}/medium", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /avatar/{id}/{picture}", "avatar", {
    path: (cell) => ({ id: inNamedRealm(cell).realm_id }),
  })`
    ++ ++ ++++ + ++  uploaded
  `,
  siteRow("GET /emoji/{realm_id}/{emoji_id}", "emoji-picture", { path: inNamedRealm })`
    ++ ++ ++++ + ++  active foreign
  `,
  siteRow("GET /emoji/names.json", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /health", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /ready", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /metrics", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /openapi.json", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("POST /", "nothing", { params: () => ({ url: "https://rose.example/" }) })`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /{short}", "short")`
    ++ ++ ++++ + ++  stored
  `,
  siteRow("GET /{short}/stats", "short")`
    ++ ++ ++++ + ++  stored
  `,
  siteRow("GET /stats", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /stats/badges/urls", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /stats/badges/version", "nothing")`
    ++ ++ ++++ + ++  any
  `,
  siteRow("GET /stats/badges/visits", "nothing")`
    ++ ++ ++++ + ++  any
  `,
];
