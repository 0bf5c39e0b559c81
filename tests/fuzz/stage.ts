import { basic, PASSWORD } from "@/tests/helpers/chat.ts";
import { findRevertible } from "@/tests/helpers/admin_samples.ts";
import { listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { PICTURE, toBody, toQuery } from "./encodings.ts";
import { type Answer, exchange } from "./exchange.ts";
import { KnownIds } from "./known_ids.ts";
import type { Organization } from "./organization.ts";
import { type PageForm, readForms } from "./page_requests.ts";
import { type CallerName, type FuzzRequest, type Header, toMessage, toRequest } from "./request.ts";
import type { Secrets } from "./secrets.ts";

/** Server that requests are sent to. */
export interface StageServer {
  readonly port: number;
  readonly secrets: Secrets;
}

type Params = Readonly<Record<string, unknown>>;
const SETUP_GIVE_UP_MS = 60_000;

/** An organization with records of each kind, the credentials of its callers and the forms of its pages. */
export class Stage {
  readonly ids = new KnownIds();
  readonly #credentials = new Map<CallerName, readonly Header[]>();
  #forms: readonly PageForm[] = [];
  /** Whether a request took the credentials of an account that the others need. */
  isBroken = false;

  private constructor(readonly server: StageServer, readonly organization: Organization) {}

  /** Signs the accounts in and creates records of each kind. */
  static async open(server: StageServer, organization: Organization): Promise<Stage> {
    const stage = new Stage(server, organization);
    for (const [name, { id, email, apiKey, sessionToken }] of organization.accounts) {
      server.secrets.addKey(apiKey, name);
      server.secrets.addHidden(sessionToken);
      stage.#credentials.set(name, [["authorization", basic(email, apiKey)]]);
      stage.ids.remember(name === "bot" ? "bot" : "user", id);
      stage.ids.remember("email", email);
    }
    for (const name of ["owner", "admin", "member"] as const) {
      const token = organization.accounts.get(name)?.sessionToken;
      stage.#credentials.set(`${name}_session`, [
        ["cookie", `sotto_session=${token}`],
        ["sec-fetch-site", "same-origin"],
      ]);
    }
    stage.#credentials.set("wrong_key", [["authorization", basic("owner@example.com", "x".repeat(32))]]);
    for (const id of organization.spareIds) stage.ids.remember("user", id);
    stage.ids.remember("password", PASSWORD);
    stage.ids.remember("realm", organization.realmId);
    await stage.#createRecords();
    stage.#forms = await stage.#listForms();
    return stage;
  }

  /** Forms of all pages, in the same order for each organization. */
  get forms(): readonly PageForm[] {
    return this.#forms;
  }

  /** Host that the organization is reached by. */
  hostOf(caller: CallerName): string {
    const { subdomain } = this.organization;
    return `${caller === "outsider" ? `${subdomain}-other` : subdomain}.localhost:${this.server.port}`;
  }

  /** Returns a request with its host, the credentials of its caller, and ids in place of the placeholders. */
  complete(request: FuzzRequest): FuzzRequest {
    const own = (name: string) => request.headers.some(([header]) => header.toLowerCase() === name);
    const added: Header[] = [
      ...(own("host") ? [] : [["host", this.hostOf(request.caller)] as const]),
      ["connection", "close"],
      ...this.#credentials.get(request.caller) ?? [],
    ];
    const resolve = (text: string) => this.ids.resolve(text);
    return {
      ...request,
      target: resolve(request.target),
      headers: [...added, ...request.headers.map(([name, value]) => [name, resolve(value)] as const)],
      body: request.body === null ? null : resolve(request.body),
    };
  }

  /** Notes that an account lost its credentials, after which its requests would test little. */
  noteRefusal(
    { caller, headers, target }: FuzzRequest,
    { status, location }: { readonly status: number; readonly location: string | null },
  ): void {
    const own = this.#credentials.get(caller)?.[0];
    const isPlain = own !== undefined && headers.filter(([name]) => name === own[0]).length === 1 &&
      headers.filter(([name]) => name === "host").length === 1;
    if (!isPlain || caller === "leaver" || caller === "wrong_key") return;
    const isRefused = status === 401 && !/fetch_api_key|\/remotes\/|^\/metrics|^\/(\?|$)/.test(target);
    const isSignedOut = caller.endsWith("_session") && status === 303 &&
      location?.startsWith("/login") === true;
    if (isRefused || isSignedOut) this.isBroken = true;
  }

  /** Sends a request of the preparation, which must succeed. */
  async #call(caller: CallerName, endpoint: string, params: Params = {}): Promise<Record<string, unknown>> {
    const [method = "GET", path = "/"] = endpoint.split(" ");
    const pairs = Object.entries(params).map(([name, value]) =>
      [name, typeof value === "string" ? value : JSON.stringify(value)] as const
    );
    const content = toBody(pairs, "file" in params ? "multipart" : "urlencoded");
    const target = `/api/v1${path}`;
    const request = method === "GET"
      ? toRequest({ caller, target: pairs.length === 0 ? target : `${target}?${toQuery(pairs)}` })
      : toRequest({ caller, method, target, ...content });
    const { status, body } = await this.#send(request);
    if (status !== 200) throw new Error(`${endpoint} was answered ${status} ${body}`);
    const answer: Record<string, unknown> = JSON.parse(body);
    this.ids.rememberAnswer(target, answer);
    return answer;
  }

  #send(request: FuzzRequest): Promise<Answer> {
    const options = { giveUpMs: SETUP_GIVE_UP_MS, isHead: false };
    return exchange(this.server.port, toMessage(this.complete(request)), options);
  }

  async #createRecords(): Promise<void> {
    const call = (endpoint: string, params: Params = {}) => this.#call("owner", endpoint, params);
    const people = [...this.organization.accounts].filter(([name]) => name !== "outsider").map(([, { id }]) =>
      id
    );
    await call("PATCH /realm", { enable_spectator_access: true });
    const { channel_folder_id } = await call("POST /channel_folders/create", {
      name: "Beds",
      description: "",
    });
    for (const [name, options] of CHANNELS) {
      const { id } = await call("POST /channels/create", { name, subscribers: people, ...options });
      this.ids.remember("name", name);
      await call(`PATCH /streams/${id}`, { folder_id: channel_folder_id });
      for (const topic of ["roses", "", "tulips"]) {
        await call("POST /messages", {
          type: "channel",
          to: id,
          topic,
          content: `About ${topic}: TICKET-1 :smile:`,
        });
      }
    }
    this.ids.remember("topic", "roses");
    await call("POST /messages", { type: "direct", to: people.slice(1, 3), content: "Hello" });
    await call("POST /user_groups/create", { name: "Pruners", description: "", members: people.slice(0, 2) });
    await call("POST /user_groups/create", { name: "Waterers", description: "", members: [] });
    await call("POST /realm/filters", {
      pattern: "TICKET-(?P<id>[0-9]+)",
      url_template: "https://example.com/{id}",
    });
    await call("POST /realm/playgrounds", {
      name: "Sandpit",
      pygments_language: "Python",
      url_template: "https://example.com/{code}",
    });
    for (const field_type of [1, 2, 4, 5, 6]) {
      await call("POST /realm/profile_fields", { field_type, name: `Field ${field_type}` });
    }
    const field_data = { a: { text: "A", order: "1" }, b: { text: "B", order: "2" } };
    await call("POST /realm/profile_fields", { field_type: 3, name: "Choice", field_data });
    await call("POST /drafts", {
      drafts: [{ type: "private", to: [people[1]], topic: "", content: "draft" }],
    });
    await call("POST /saved_snippets", { title: "Snippet", content: "text" });
    await call("POST /realm/emoji/sprout", { file: PICTURE });
    await call("POST /realm/domains", { domain: "allotment.example", allow_subdomains: false });
    await call("POST /register_client_device");
    await call("POST /export/realm");
    await call("POST /bots", { full_name: "Helper", short_name: "helper" });
    const { uri } = await call("POST /user_uploads", { file: PICTURE });
    this.ids.remember("file", String(uri).replace(/^\/user_uploads\/\d+\//, ""));
    await this.#createInvitations();
    for (const caller of ["owner", "member", "guest"] as const) await this.#call(caller, "POST /register");
    await this.#shorten();
    for (const path of READ_FIRST) await call(`GET ${path}`);
  }

  async #createInvitations(): Promise<void> {
    const params = { stream_ids: [], invite_expires_in_minutes: 1440 };
    await this.#call("owner", "POST /invites", { ...params, invitee_emails: "invited@example.com" });
    const { invite_link } = await this.#call("owner", "POST /invites/multiuse", params);
    const { invites } = await this.#call("owner", "GET /invites");
    const key = String(invite_link).split("/").at(-1) ?? "";
    this.ids.remember("key", key);
    this.server.secrets.addLogged(key);
    for (const one of Array.isArray(invites) ? invites : []) {
      this.ids.remember(one.is_multiuse ? "link" : "invite", one.id);
    }
  }

  async #shorten(): Promise<void> {
    const headers: Header[] = [["content-type", "application/json"]];
    const body = '{"url":"https://example.com/"}';
    const answer = await this.#send(toRequest({ method: "POST", target: "/", headers, body }));
    this.ids.remember("short", JSON.parse(answer.body).short);
  }

  async #listForms(): Promise<PageForm[]> {
    const first = (kind: Parameters<KnownIds["first"]>[0]) => encodeURIComponent(this.ids.first(kind));
    const samples = {
      "channel-folders": first("folder"),
      "channels": first("channel"),
      "groups": first("group"),
      "linkifiers": first("linkifier"),
      "profile-fields": first("field"),
      "emoji": "sprout",
      "playgrounds": first("playground"),
      "links": first("short"),
      "stats": first("short"),
      "domains": "allotment.example",
      "email": first("invite"),
      "link": first("link"),
      "users": first("user"),
      "bots": first("user"),
      "bulk-actions": "1",
      "audit": findRevertible(await this.#readPage("owner_session", "/admin/audit")),
    };
    const pages = listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) =>
      toAdminPath(pattern, samples)
    );
    const others = ["/login", "/forgot-password", "/account", "/setup", `/join/${first("key")}`, "/"];
    const forms: PageForm[] = [];
    for (const path of [...pages, ...others]) {
      const caller = others.includes(path) && path !== "/account" ? "nobody" : "owner_session";
      forms.push(...readForms(await this.#readPage(caller, path), path));
    }
    // Every page has those of the frame.
    return [...new Map(forms.map((form) => [toSignature(form), form])).values()];
  }

  async #readPage(caller: "nobody" | "owner_session", target: string): Promise<string> {
    return (await this.#send(toRequest({ caller, target, headers: [["accept", "text/html"]] }))).body;
  }
}

const CHANNELS: readonly (readonly [name: string, options: Params])[] = [
  ["main", { is_web_public: true }],
  ["private", { invite_only: true, history_public_to_subscribers: false }],
  ["side", { is_default_stream: true }],
];
/** Lists whose ids requests need, the newest of which are the most used. */
const READ_FIRST = [
  "/users",
  "/user_groups",
  "/realm/profile_fields",
  "/bots",
  "/attachments",
  "/drafts",
  "/streams",
];

function toSignature({ action, fields }: PageForm): string {
  return [action, ...fields.map(({ name, values }) => name === "action" ? values.join() : name)].join(" ");
}
