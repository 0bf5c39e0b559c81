import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { startSession } from "@/lib/chat/people/auth/sessions.ts";
import { createChatApp } from "@/lib/chat/register/create_app.ts";
import { createRealm } from "@/lib/chat/people/users/create_realm.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import type { BotType, Role, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { PASSWORD } from "@/tests/helpers/chat.ts";
import type { CallerName } from "./request.ts";

/** An account with its API key. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly apiKey: string;
  /** Token of its session. */
  readonly sessionToken: string;
}

/** An organization that requests are sent to. */
export interface Organization {
  readonly realmId: number;
  readonly subdomain: string;
  readonly accounts: ReadonlyMap<CallerName, Account>;
  /** Ids of members that send no requests, so that requests may take their rights. */
  readonly spareIds: readonly number[];
}

const SPARE_ACCOUNTS = 20;

/** Creates organizations in the store of a server that runs. */
export class OrganizationFactory {
  readonly #app: ChatApp;
  #passwordHash: string | null = null;

  constructor(private readonly store: Store, secretKey: string) {
    this.#app = createChatApp({
      store,
      secretKey: new TextEncoder().encode(secretKey),
      clock: systemClock,
      config: readConfig({ RATE_LIMITS: "off" }),
      passwords: createPasswordHasher(),
      wakeMailer: () => {},
    });
  }

  /** Creates an organization with an account of each role, and another organization. */
  async create(number: number): Promise<Organization> {
    this.#passwordHash ??= await this.#app.passwords.hash(PASSWORD);
    const subdomain = `fuzz${number}`;
    const main = await this.#createRealm(subdomain);
    const other = await this.#createRealm(`${subdomain}-other`);
    const { realm } = main;
    const accounts = new Map<CallerName, Account>();
    const create = async (name: string, role: Role, bot?: { type: BotType; ownerId: number }) => {
      const user = {
        deliveryEmail: `${name}@example.com`,
        fullName: `The ${name}`,
        role,
        passwordHash: bot === undefined ? this.#passwordHash : null,
        ...(bot === undefined ? {} : { bot }),
      };
      const work = (tx: Tx) => addUser({ app: this.#app, tx, realm }, user);
      return await transact(this.store, work);
    };
    const add = async (name: CallerName, role: Role, bot?: { type: BotType; ownerId: number }) => {
      const record = await create(name, role, bot);
      accounts.set(name, await this.#toAccount(realm, record));
      return record;
    };
    await add("owner", 100);
    await add("admin", 200);
    await add("moderator", 300);
    const member = await add("member", 400);
    await add("guest", 600);
    await add("leaver", 400);
    await add("bot", 400, { type: 1, ownerId: member.id });
    accounts.set("outsider", await this.#toAccount(other.realm, other.owner));
    const spareIds: number[] = [];
    for (let at = 0; at < SPARE_ACCOUNTS; at++) spareIds.push((await create(`spare${at}`, 400)).id);
    return { realmId: realm.id, subdomain, accounts, spareIds };
  }

  #createRealm(subdomain: string) {
    return createRealm(this.#app, {
      name: "Gardeners",
      subdomain,
      ownerEmail: "founder@example.com",
      ownerName: "Founder",
      ownerPassword: null,
    });
  }

  async #toAccount(realm: RealmRecord, user: UserRecord): Promise<Account> {
    return {
      id: user.id,
      email: user.delivery_email,
      apiKey: deriveApiKey(this.#app, realm.id, user),
      sessionToken: await startSession(this.#app, realm, { user, userAgent: "fuzz", formerToken: null }),
    };
  }
}
