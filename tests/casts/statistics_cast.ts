import assert from "node:assert/strict";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";

/** Returns the daily sums of the organization and its storage by kind, by the parts of their keys. */
export async function readSums(chat: TestChat): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  for (const name of ["day_sum", "storage_sum"]) {
    const rows = chat.services.store.kv.list<Deno.KvU64>({ prefix: [chat.realm.id, name] });
    for await (const { key, value } of rows) {
      sums[key.slice(name === "day_sum" ? 2 : 1).join(" ")] = Number(value);
    }
  }
  return sums;
}

/** Returns how much the sums grew since `before`; unchanged ones are missing. */
export function growthSince(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const growth = Object.entries(after).map(([name, sum]) => [name, sum - (before[name] ?? 0)] as const);
  return Object.fromEntries(growth.filter(([, amount]) => amount !== 0));
}

/** Sends a message to a topic of a channel and returns its id. */
export async function sendTo(
  chat: TestChat,
  sender: TestUser,
  channel: number,
  topic = "t",
): Promise<number> {
  return await send(chat, sender, { type: "channel", to: channel, topic, content: "hello" });
}

/** Sends a direct message and returns its id. */
export async function sendDirect(
  chat: TestChat,
  sender: TestUser,
  ...to: readonly TestUser[]
): Promise<number> {
  return await send(chat, sender, { type: "direct", to: to.map(({ id }) => id), content: "hello" });
}

async function send(
  chat: TestChat,
  sender: TestUser,
  params: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { status, body } = await chat.call(sender, "POST /messages", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body["id"];
}
