import { freePort, residentBytes, type TestServer } from "../helpers/server.ts";

const SETTLE_MS = 3000;
const BARE = new URL("bare_waiting_server.ts", import.meta.url).pathname;

/** How many requests a server holds that wait for something. */
export async function waitingAt(server: TestServer): Promise<number> {
  const text = await (await server.fetch("/metrics")).text();
  return Number(/^sotto_requests_waiting (\d+)/m.exec(text)?.[1] ?? NaN);
}

/** Bytes that a bare server needs for each of so many requests that it holds. */
export async function measureBareWaiting(count: number): Promise<number> {
  const port = freePort();
  const child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n 20000\nexec "$@"`, "sh", Deno.execPath(), "run", "-A", BARE, String(port)],
    stdin: "null",
    stdout: "null",
  }).spawn();
  const connections: Deno.TcpConn[] = [];
  try {
    while (!await isUp(port)) await new Promise((resolve) => setTimeout(resolve, 20));
    await settle();
    const before = residentBytes(child.pid);
    for (let at = 0; at < count; at++) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      await connection.write(
        new TextEncoder().encode(`GET /wait HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`),
      );
      connections.push(connection);
    }
    await settle();
    return (residentBytes(child.pid) - before) / count;
  } finally {
    for (const connection of connections) connection.close();
    child.kill("SIGKILL");
    await child.status;
  }
}

/** Time in which a process is done with what it was given. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

async function isUp(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  } catch {
    return false;
  }
}
