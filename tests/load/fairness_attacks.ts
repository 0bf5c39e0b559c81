import { RawConnection } from "../helpers/raw_http.ts";
import type { TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait.ts";

/** A client that takes as much of a server as it can. */
export interface Attack {
  readonly name: string;
  /** Begins; disposing of the result ends it. */
  start(): Promise<AsyncDisposable>;
}

/** Address of the attacker, as the proxy forwards it. */
const ADDRESS = "198.51.100.1";
const SOCKETS = 1000;
const FLOOD_CONNECTIONS = 500;
/** Parts of the sockets that send their next byte in turn. */
const PARTS = 5;
/** Milliseconds after which an attack counts as one that never ends. */
const GIVE_UP_MS = 600_000;

/** Hundreds of connections that send one cheap request after another. */
export function floodRequests(server: TestServer): Attack {
  const name = `${FLOOD_CONNECTIONS} connections of cheap requests`;
  return { name, start: () => Promise.resolve(flood(server, "requests")) };
}

/** Hundreds of connections that send one wrong password after another. */
export function floodSignIns(server: TestServer): Attack {
  const name = `${FLOOD_CONNECTIONS} connections of sign-ins`;
  return { name, start: () => Promise.resolve(flood(server, "sign-ins")) };
}

/** A thousand sockets that send a byte of a sign-in form; new ones follow when they are closed. */
export function holdBodies(server: TestServer): Attack {
  const head = "POST /login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n" +
    `X-Forwarded-For: ${ADDRESS}\r\nContent-Length: 1000\r\n\r\nx`;
  return { name: `${SOCKETS} slow bodies`, start: () => hold(server, head, "") };
}

/** A thousand sockets that upload a byte a second; new ones follow when they are closed. */
export function holdUploads(server: TestServer, authorization: string): Attack {
  const head =
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n` +
    `X-Forwarded-For: ${ADDRESS}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n` +
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  return { name: `${SOCKETS} uploads of a byte a second`, start: () => hold(server, head, "x") };
}

function flood({ url }: TestServer, kind: "requests" | "sign-ins"): AsyncDisposable {
  const script = new URL("attack.lua", import.meta.url).pathname;
  const args = ["-t1", `-c${FLOOD_CONNECTIONS}`, "-d600s", "-s", script, url, "--", ADDRESS, kind];
  const child = new Deno.Command("wrk", { args, stdout: "null", stderr: "null" }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

async function hold(server: TestServer, head: string, trickle: string): Promise<AsyncDisposable> {
  let isOver = false;
  const sockets = new Set<RawConnection>();
  const keepOne = async () => {
    while (!isOver) {
      using socket = await RawConnection.open(server);
      sockets.add(socket);
      await socket.send(head);
      await socket.readAnswer().catch(() => {});
      sockets.delete(socket);
    }
  };
  const kept: Promise<void>[] = [];
  for (let at = 0; at < SOCKETS; at++) {
    kept.push(keepOne().catch(() => {}));
    // Faster than they are accepted, connections would wait for the system's next try.
    if (at % 64 === 0) await (await server.fetch("/health")).body?.cancel();
  }
  let round = 0;
  const trickling = waitFor("the attack is over", () => {
    // The pauses of the wait are a fifth of a second at most.
    for (const [at, socket] of [...sockets].entries()) {
      if (trickle !== "" && at % PARTS === round % PARTS) socket.send(trickle);
    }
    round++;
    return isOver;
  }, { giveUpMs: GIVE_UP_MS });
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      for (const socket of sockets) socket.close();
      await Promise.all([...kept, trickling]);
    },
  };
}
