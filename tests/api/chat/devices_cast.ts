import assert from "node:assert/strict";
import { deviceKeys, type DeviceRecord } from "@/lib/chat/devices/device.ts";
import { readRecord, toEntry } from "@/lib/kv/key.ts";
import { type Person, type Sent, startChat, type TestChat } from "@/tests/helpers/chat.ts";

/** What another server was asked. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** A bouncer on loopback, which answers as it is told and notes what it is asked. */
export class ToldBouncer implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly asked: Asked[] = [];
  answer: () => Response | Promise<Response> = () => Response.json({ result: "success", msg: "" });

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      const path = new URL(request.url).pathname;
      const authorization = request.headers.get("authorization");
      const fields = Object.fromEntries(new URLSearchParams(await request.text()));
      this.asked.push({ path, authorization, fields });
      return await this.answer();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  get env(): Record<string, string> {
    return { PUSH_BOUNCER_URL: `${this.url}/`, PUSH_ORG_ID: "org", PUSH_ORG_KEY: "quiet" };
  }

  /** Refuses from now on as a bouncer does. */
  refuse(code: string, status = 400): void {
    this.answer = () => Response.json({ result: "error", msg: "No", code }, { status });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** A server that knows a bouncer, which nobody asks before a sweep; nothing listens there. */
export function startPushChat(): Promise<TestChat> {
  return startChat({
    env: { PUSH_BOUNCER_URL: "http://127.0.0.1:9", PUSH_ORG_ID: "org", PUSH_ORG_KEY: "quiet" },
  });
}

/** Base64 of a push key: its first byte, and so many more. */
export function pushKey(
  fill = 1,
  { first = 0x31, bytes = 32 }: { first?: number; bytes?: number } = {},
): string {
  return new Uint8Array(bytes + 1).fill(fill).with(0, first).toBase64();
}

/** Base64 of the id of a token. */
export function tokenId(fill = 1): string {
  return new Uint8Array(8).fill(fill).toBase64();
}

/** A whole token group. */
export function tokenGroup(fill = 1): Sent {
  return {
    token_kind: "fcm",
    token_id: tokenId(fill),
    bouncer_public_key: "a public key",
    encrypted_push_registration: "a sealed box",
  };
}

/** A whole key group. */
export function keyGroup(fill = 1, id = fill): Sent {
  return { push_key: pushKey(fill), push_key_id: id };
}

/** Gives somebody a new device. */
export async function addDevice(chat: TestChat, who: Person): Promise<number> {
  const { status, body } = await chat.call(who, "POST /register_client_device");
  assert.equal(status, 200, JSON.stringify(body));
  return body["device_id"];
}

/** Registers, and gives the status, the code and the message. */
export async function register(
  chat: TestChat,
  who: Person,
  params: Sent,
): Promise<[number, string | undefined, string]> {
  const { status, body } = await chat.call(who, "POST /mobile_push/register", params);
  return [status, body["code"], body["msg"]];
}

/** What success looks like. */
export const OK = [200, undefined, ""];

/** A refusal without a code of its own. */
export function refusal(msg: string): [number, string, string] {
  return [400, "BAD_REQUEST", msg];
}

/** The devices of somebody as he learns of them. */
// deno-lint-ignore no-explicit-any
export async function devicesOf(chat: TestChat, who: Person): Promise<Record<string, any>> {
  const { body } = await chat.call(who, "POST /register", { fetch_event_types: ["device"] });
  return body["devices"];
}

/** The events of devices since the last ones. */
export async function deviceEvents(chat: TestChat) {
  return (await chat.events()).map(({ event, audience }) => ({ event, audience }));
}

/** A device as it is stored. */
async function recordOf(chat: TestChat, who: Person, id: number): Promise<DeviceRecord> {
  const record = await readRecord<DeviceRecord>(
    chat.services.store.kv,
    deviceKeys.device(who.realm.id, who.id, id),
  );
  assert.ok(record !== null);
  return record;
}

/** When the registrations in the queue are due, in milliseconds from now. */
export async function dueTimes(chat: TestChat): Promise<number[]> {
  const prefix = [...deviceKeys.registrations];
  const entries = await Array.fromAsync(chat.services.store.kv.list({ prefix }));
  return entries.map((entry) => Number(toEntry(entry).key[1]) - chat.clock.time);
}

/** A device that is registered already, by a bouncer that takes everything. */
export async function registeredDevice(chat: TestChat, who: Person, fill = 1): Promise<number> {
  const id = await addDevice(chat, who);
  assert.deepEqual(await register(chat, who, { device_id: id, ...keyGroup(fill), ...tokenGroup(fill) }), OK);
  await chat.services.pushRegistrar.sweep();
  assert.equal((await recordOf(chat, who, id)).push_token_id, tokenId(fill));
  return id;
}
