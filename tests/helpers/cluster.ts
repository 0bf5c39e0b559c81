import { startSmtp, type TestSmtp } from "@/tests/casts/mail_cast.ts";
import { admin, createGardeners, type NewOwner } from "./command_line.ts";
import { findDenokv, KvServer } from "./denokv.ts";
import { LoadBalancer } from "./load_balancer.ts";
import { reportMissing } from "./report_missing.ts";
import { TestServer } from "./server.ts";

/** Number of servers of a cluster unless a test names another. */
export const SERVERS = 3;

/** Settings of a cluster. */
export interface ClusterOptions {
  /** Environment of all servers. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number of servers; three by default. */
  readonly servers?: number;
  /** Flags of the runtime in place of those of the task `start`. */
  readonly flags?: readonly string[];
  /** Returns further variables of the server that is started after `earlier` others. */
  readonly envOf?: (earlier: number) => Readonly<Record<string, string>>;
}

/** Several servers on one KV Connect server, behind a balancer that gives each request to the next server. */
export class Cluster implements AsyncDisposable {
  readonly balancer = new LoadBalancer();
  readonly #servers: TestServer[] = [];
  #started = 0;

  private constructor(
    readonly store: KvServer,
    /** Mail server of all servers. */
    readonly smtp: TestSmtp,
    readonly options: ClusterOptions,
  ) {}

  /** Starts the store, and then all servers at once. */
  static async start(program: string, options: ClusterOptions = {}): Promise<Cluster> {
    const cluster = new Cluster(await KvServer.start(program), await startSmtp(), options);
    try {
      await Promise.all(Array.from({ length: options.servers ?? SERVERS }, () => cluster.addServer()));
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Address of the balancer, without a trailing slash. */
  get url(): string {
    return this.balancer.url;
  }

  /** Servers that have not been killed. */
  get servers(): readonly TestServer[] {
    return this.#servers;
  }

  /** Starts one more server, which receives requests once it answers. */
  async addServer(): Promise<TestServer> {
    const server = await TestServer.start({
      baseUrl: this.url,
      ...(this.options.flags === undefined ? {} : { flags: this.options.flags }),
      env: {
        ...{ KV_URL: this.store.url, TRUSTED_PROXIES: "127.0.0.1", SMTP_URL: this.smtp.url },
        ...this.options.env,
        ...this.options.envOf?.(this.#started++),
      },
    });
    this.#servers.push(server);
    this.#distribute();
    return server;
  }

  /** Kills a server with SIGKILL; the balancer learns of it by its refused connections. */
  async killServer(server: TestServer): Promise<void> {
    await server.kill();
    this.#servers.splice(this.#servers.indexOf(server), 1);
    this.#distribute();
    await server[Symbol.asyncDispose]();
  }

  /** Runs an operator's command on the store. */
  // deno-lint-ignore no-explicit-any
  admin(...args: string[]): Promise<any> {
    return admin(this.store.url, ...args);
  }

  /** Creates the organization Gardeners and returns what the command printed. */
  // deno-lint-ignore no-explicit-any
  createGardeners(owner?: NewOwner): Promise<any> {
    return createGardeners(this.store.url, owner);
  }

  /** Returns what all processes printed. */
  readonly explain = (): string => {
    const printed = this.#servers.map(({ output, errors }, at) => `Server ${at}:\n${output}\n${errors}`);
    return [...printed, this.store.explain()].join("\n");
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
    await this.balancer[Symbol.asyncDispose]();
    await this.smtp[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
  }

  #distribute(): void {
    this.balancer.distributeTo(this.#servers.map(({ url }) => url));
  }
}

/** Test of a cluster; without the store's program, it prints one line and succeeds. */
export function clusterTest(
  name: string,
  test: (cluster: Cluster, context: Deno.TestContext) => Promise<void>,
  options: ClusterOptions = {},
): void {
  Deno.test(name, async (context) => {
    const program = findDenokv();
    if (program === null) return reportMissing("denokv", "cargo install denokv --locked");
    await using cluster = await Cluster.start(program, options);
    try {
      await test(cluster, context);
    } catch (error) {
      throw new Error(cluster.explain().slice(0, 20_000), { cause: error });
    }
  });
}
