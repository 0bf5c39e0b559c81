import { createRealm } from "@/lib/chat/people/users/create_realm.ts";
import { basic } from "@/tests/helpers/chat.ts";
import type { FakeClock, TestApp } from "@/tests/helpers/app.ts";
import { emailOf, ORGANIZATION, type Person } from "./content/people.ts";

/** Headers of a form that a page of the server sends. */
const SAME_ORIGIN = { accept: "text/html", "sec-fetch-site": "same-origin" };

/** Parameters of a request: texts and files are sent unchanged, everything else as JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** Body of a response. */
// deno-lint-ignore no-explicit-any
export type ResponseBody = Record<string, any>;

/** Ids of what was created, by the names that the content uses. */
export class Ids {
  readonly #ids = new Map<string, number>();

  constructor(readonly kind: string) {}

  set(name: string, id: number): void {
    this.#ids.set(name, id);
  }

  /**
   * Returns the id of a name.
   * @throws Error when nothing of that name was created.
   */
  of(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`There is no ${this.kind} ${name}`);
    return id;
  }
}

/** The demo organization on a server in this process; requests go through the whole server. */
export class DemoSite {
  readonly people = new Ids("person");
  readonly channels = new Ids("channel");
  readonly folders = new Ids("folder");
  readonly groups = new Ids("group");
  readonly fields = new Ids("profile field");
  readonly invites = new Ids("invitation");
  /** Paths of reusable join links by name. */
  readonly joinPaths = new Map<string, string>();
  /** API keys of incoming webhooks by the name of their bot. */
  readonly webhookKeys = new Map<string, string>();
  readonly #credentials = new Map<string, string>();

  constructor(readonly app: TestApp, readonly password: string) {}

  /** Clock of the organization, which actions move. */
  get clock(): FakeClock {
    return this.app.clock;
  }

  /** Creates the organization with its owner. */
  async createOrganization(owner: Person): Promise<void> {
    const { owner: { id } } = await createRealm(this.app.services.chat, {
      name: ORGANIZATION,
      subdomain: "",
      ownerName: owner.name,
      ownerEmail: emailOf(owner.key),
      ownerPassword: this.password,
    });
    this.people.set(owner.key, id);
    await this.signIn(owner.key);
  }

  /** Fetches the API key of a person. */
  async signIn(key: string): Promise<void> {
    const username = emailOf(key);
    const { api_key } = await this.call("", "POST /fetch_api_key", { username, password: this.password });
    this.#credentials.set(key, basic(username, api_key));
  }

  /**
   * Calls `METHOD /path` below /api/v1 as a person, or as a visitor for an empty key.
   * @throws Error when the request is refused.
   */
  async call(key: string, endpoint: string, params: Params = {}): Promise<ResponseBody> {
    const [method = "GET", path = "/"] = endpoint.split(" ");
    const authorization = this.#credentials.get(key);
    if (authorization === undefined && key !== "") throw new Error(`${key} is not signed in`);
    const response = await this.app.request(`/api/v1${path}`, {
      method,
      headers: authorization === undefined ? {} : { authorization },
      ...(method === "GET" ? {} : { body: toBody(params) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${endpoint} of ${key}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Posts JSON to the incoming webhook of a bot. */
  async postWebhook(bot: string, query: Readonly<Record<string, string>>, body: unknown): Promise<void> {
    const parameters = new URLSearchParams({ api_key: this.webhookKeys.get(bot) ?? "", ...query });
    const response = await this.app.request(`/api/v1/external/json?${parameters}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`Webhook of ${bot}: ${await response.text()}`);
    await response.body?.cancel();
  }

  /**
   * Submits the form of a page.
   * @throws Error when the page refuses it.
   */
  async submit(path: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const init = { method: "POST", headers: SAME_ORIGIN, body: new URLSearchParams(fields) };
    const response = await this.app.request(path, init);
    if (response.status >= 400) throw new Error(`The form of ${path} was refused: ${response.status}`);
    await response.body?.cancel();
  }

  /** Sends due mails and returns the path of the newest join link that an address received. */
  async findJoinPath(email: string): Promise<string> {
    await this.app.services.inviteMailer.sweep();
    const mails = await this.app.mails();
    const mail = mails.findLast(({ to }) => to?.some(({ address }) => address === email));
    const path = /https?:\/\/[^/\s]+(\/join\/\S+)/.exec(mail?.text ?? "")?.[1];
    if (path === undefined) throw new Error(`${email} received no join link`);
    return path;
  }
}

function toBody(params: Params): URLSearchParams | FormData {
  const hasFile = Object.values(params).some((value) => value instanceof File);
  const body = hasFile ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (body instanceof FormData && value instanceof File) body.set(name, value);
    else body.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return body;
}
