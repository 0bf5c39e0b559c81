import { residentBytes, type TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait.ts";
import { startScript } from "./servers.ts";

/** Milliseconds without a change after which memory counts as steady. */
const STEADY_MS = 2000;
/** Largest change that counts as none, as a share. */
const STEADY_SHARE = 0.005;

/** Returns how many requests a server holds that wait for events. */
export function waitingAt(server: TestServer): Promise<number> {
  return server.metric("sotto_requests_waiting");
}

/** Returns the bytes that a bare server needs for each of `count` requests that it holds. */
export async function measureBareWaiting(count: number): Promise<number> {
  await using server = await startScript("bare_waiting_server.ts", [], "ulimit -n 20000");
  const before = await settledBytes(server.pid);
  const connections: Deno.TcpConn[] = [];
  try {
    for (let at = 0; at < count; at++) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
      await connection.write(new TextEncoder().encode("GET /wait HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"));
      connections.push(connection);
    }
    return (await settledBytes(server.pid) - before) / count;
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Waits until a process's resident memory is steady, and returns it in bytes. */
export async function settledBytes(pid: number): Promise<number> {
  let [bytes, since] = [0, performance.now()];
  const readSteadyMs = () => {
    const latest = residentBytes(pid);
    if (Math.abs(latest - bytes) > STEADY_SHARE * bytes) [bytes, since] = [latest, performance.now()];
    return performance.now() - since;
  };
  await waitFor(`the memory of process ${pid} is steady`, readSteadyMs, { isMet: (ms) => ms > STEADY_MS });
  return residentBytes(pid);
}
