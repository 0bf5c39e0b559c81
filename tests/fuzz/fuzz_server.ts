import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { ApiDescription } from "@/tests/helpers/api_walk.ts";
import { PASSWORD } from "@/tests/helpers/chat.ts";
import { tryAdmin } from "@/tests/helpers/command_line.ts";
import fc from "@/tests/helpers/fast_check.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { apiRequests, races } from "./api_requests.ts";
import { AnswerChecks } from "./checks.ts";
import { OrganizationFactory } from "./organization.ts";
import { malformedRequests, pageRequests, uploadRequests } from "./other_requests.ts";
import { formPlans } from "./page_requests.ts";
import type { Plan, RoundParts } from "./round.ts";
import { Secrets } from "./secrets.ts";
import { Stage } from "./stage.ts";

const MAX_BATCH = 24;
/** Mean number of requests that are sent at the same time. */
export const MEAN_BATCH = MAX_BATCH / 2;
const SECRET_KEY = "fuzz-secret-key-of-at-least-32-bytes";
const METRICS_TOKEN = "fuzz-metrics-token";

/** A server with what is needed to send requests to it. */
export class FuzzServer implements AsyncDisposable {
  private constructor(readonly server: TestServer, readonly parts: RoundParts) {}

  /** Starts a server. */
  static async start(env: Readonly<Record<string, string>>): Promise<FuzzServer> {
    const server = await TestServer.start({ env: { SECRET_KEY, METRICS_TOKEN, ...env } });
    const description = ApiDescription.parse(await (await server.fetch("/openapi.json")).json());
    const secrets = new Secrets();
    for (const secret of [SECRET_KEY, METRICS_TOKEN, PASSWORD]) secrets.addHidden(secret);
    let organizations = 0;
    const openStage = async () => {
      using store = await openSottoStore(server.store);
      const organization = await new OrganizationFactory(store, SECRET_KEY).create(organizations++);
      return await Stage.open({ port: server.port, secrets }, organization);
    };
    const checks = new AnswerChecks(description);
    return new FuzzServer(server, { server, checks, secrets, openStage, batches: toBatches(description) });
  }

  /** Stops the server and checks its store; returns a problem, or null. */
  async stop(): Promise<string | null> {
    const { status } = await this.server.fetch("/health");
    if (status !== 200) return `/health answers ${status} after the run`;
    const code = await this.server.stop();
    if (code !== 0) return `the server ended with status ${code}: ${this.server.errors}`;
    const { result, errors } = await tryAdmin(this.server.store, "check");
    return result.ok === true
      ? null
      : `the store has problems: ${errors}\n${JSON.stringify(result, null, 1)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** Batches of requests that are sent at the same time, of any size up to the largest. */
function toBatches(description: ApiDescription): fc.Arbitrary<readonly Plan[]> {
  const single = fc.oneof(
    { weight: 60, arbitrary: apiRequests(description) },
    { weight: 15, arbitrary: formPlans() },
    { weight: 10, arbitrary: pageRequests() },
    { weight: 4, arbitrary: uploadRequests() },
    { weight: 2, arbitrary: malformedRequests() },
  );
  const alone: fc.Arbitrary<readonly Plan[]> = single.map((plan) => [plan]);
  const together: fc.Arbitrary<readonly Plan[]> = races(description);
  const item = fc.oneof({ weight: 20, arbitrary: alone }, { weight: 1, arbitrary: together });
  return fc.noBias(fc.array(item, { minLength: 1, maxLength: MAX_BATCH, size: "max" })).map((items) =>
    items.flat()
  );
}
