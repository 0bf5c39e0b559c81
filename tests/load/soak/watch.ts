import { residentBytes, type TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import type { LoadUser } from "../chat_seeding.ts";
import { EventClient } from "../event_clients.ts";
import type { Sample } from "./report.ts";

/** Samples the process of a server every so many milliseconds until `isOver`. */
export async function sampleServer(
  server: TestServer,
  { everyMs, isOver, now }: { everyMs: number; isOver: () => boolean; now: () => number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const started = now();
  while (!isOver()) {
    const at = now() - started;
    samples.push({
      at,
      memory: residentBytes(server.pid),
      files: [...Deno.readDirSync(`/proc/${server.pid}/fd`)].length,
      store: sizeOf(server.store),
      wal: sizeOf(`${server.store}-wal`),
    });
    const next = started + samples.length * everyMs;
    await waitFor("the next sample is due", () => now() >= next || isOver(), {
      giveUpMs: 2 * everyMs + 60_000,
    });
  }
  return samples;
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}

/** Counts of clients that wait for events. */
export interface WaitingCounts {
  /** Messages that were received. */
  received: number;
  /** Queues that had expired, or connections that were lost. */
  renewals: number;
}

/** Keeps clients waiting for events, each with a queue of its own, until they are disposed of. */
export class WaitingClients implements AsyncDisposable {
  readonly counts: WaitingCounts = { received: 0, renewals: 0 };
  readonly #clients: EventClient[];
  readonly #running: Promise<void>[];
  #isOver = false;

  constructor(port: number, people: readonly LoadUser[]) {
    this.#clients = people.map((user) => new EventClient(user));
    this.#running = this.#clients.map((client) => this.#run(client, port));
  }

  async #run(client: EventClient, port: number): Promise<void> {
    let isConnected = false;
    while (!this.#isOver) {
      try {
        if (!isConnected) {
          await client.connect(port);
          await client.register();
          isConnected = true;
        }
        this.counts.received += (await client.hear()).length;
      } catch {
        isConnected = false;
        if (!this.#isOver) this.counts.renewals++;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const client of this.#clients) client[Symbol.dispose]();
    await Promise.all(this.#running);
  }
}
