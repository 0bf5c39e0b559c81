import assert from "node:assert/strict";
import { type DeviceRecord, devices, REGISTRATIONS } from "@/lib/chat/devices/devices.ts";
import { readRecord, toEntry } from "@/lib/store/key.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

/** A request that a bouncer received. */
export interface BouncerRequest {
  readonly path: string;
  readonly authorization: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** A fake bouncer on loopback that records requests and answers them as set by `answer`. */
export class ScriptedBouncer implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly requests: BouncerRequest[] = [];
  answer: () => Response | Promise<Response> = () => Response.json({ result: "success", msg: "" });

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      const path = new URL(request.url).pathname;
      const authorization = request.headers.get("authorization");
      const fields = Object.fromEntries(new URLSearchParams(await request.text()));
      this.requests.push({ path, authorization, fields });
      return await this.answer();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  get env(): Record<string, string> {
    return { PUSH_BOUNCER_URL: `${this.url}/`, PUSH_ORG_ID: "org", PUSH_ORG_KEY: "quiet" };
  }

  /** Answers further requests with an error, in the format of a bouncer. */
  refuse(code: string, status = 400): void {
    this.answer = () => Response.json({ result: "error", msg: "No", code }, { status });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Starts a chat with a bouncer configured whose address is unreachable. It is not used before a sweep. */
export function startPushChat(): Promise<TestChat> {
  return startChat({
    env: { PUSH_BOUNCER_URL: "http://127.0.0.1:9", PUSH_ORG_ID: "org", PUSH_ORG_KEY: "quiet" },
  });
}

/** Returns a push key in Base64: its first byte, followed by `bytes` more. */
export function pushKey(
  fill = 1,
  { first = 0x31, bytes = 32 }: { first?: number; bytes?: number } = {},
): string {
  return new Uint8Array(bytes + 1).fill(fill).with(0, first).toBase64();
}

/** Returns a token id in Base64. */
export function tokenId(fill = 1): string {
  return new Uint8Array(8).fill(fill).toBase64();
}

/** Returns all token parameters. */
export function tokenGroup(fill = 1): TestParams {
  return {
    token_kind: "fcm",
    token_id: tokenId(fill),
    bouncer_public_key: "a public key",
    encrypted_push_registration: "a sealed box",
  };
}

/** Returns all push key parameters. */
export function keyGroup(fill = 1, id = fill): TestParams {
  return { push_key: pushKey(fill), push_key_id: id };
}

/** Creates a device for a person and returns its id. */
export async function addDevice(chat: TestChat, person: TestUser): Promise<number> {
  const { status, body } = await chat.call(person, "POST /register_client_device");
  assert.equal(status, 200, JSON.stringify(body));
  return body["device_id"];
}

/** Registers a device and returns the status, the error code and the message. */
export async function register(
  chat: TestChat,
  person: TestUser,
  params: TestParams,
): Promise<[number, string | undefined, string]> {
  const { status, body } = await chat.call(person, "POST /mobile_push/register", params);
  return [status, body["code"], body["msg"]];
}

/** Result of a successful registration. */
export const OK = [200, undefined, ""];

/** Returns the result of a registration refused with BAD_REQUEST. */
export function refusal(msg: string): [number, string, string] {
  return [400, "BAD_REQUEST", msg];
}

/** Returns a person's devices from the initial state. */
// deno-lint-ignore no-explicit-any
export async function readDevices(chat: TestChat, person: TestUser): Promise<Record<string, any>> {
  const { body } = await chat.call(person, "POST /register", { fetch_event_types: ["device"] });
  return body["devices"];
}

/** Returns the events since the last call, with their audiences. */
export async function readDeviceEvents(chat: TestChat) {
  return (await chat.events()).map(({ event, audience }) => ({ event, audience }));
}

/** Returns the record of a device. */
async function readDeviceRecord(chat: TestChat, person: TestUser, id: number): Promise<DeviceRecord> {
  const record = await readRecord<DeviceRecord>(
    chat.services.store.kv,
    devices.key({ realm: person.realm, actingUser: person }, id),
  );
  assert.ok(record !== null);
  return record;
}

/** Returns the due times of the queued registrations, in milliseconds from now. */
export async function listDueTimes(chat: TestChat): Promise<number[]> {
  const prefix = [...REGISTRATIONS];
  const entries = await Array.fromAsync(chat.services.store.kv.list({ prefix }));
  return entries.map((entry) => Number(toEntry(entry).key[1]) - chat.clock.time);
}

/** Creates a device and registers it at a bouncer that accepts everything. Returns its id. */
export async function registeredDevice(chat: TestChat, person: TestUser, fill = 1): Promise<number> {
  const id = await addDevice(chat, person);
  assert.deepEqual(
    await register(chat, person, { device_id: id, ...keyGroup(fill), ...tokenGroup(fill) }),
    OK,
  );
  await chat.services.pushRegistrar.sweep();
  assert.equal((await readDeviceRecord(chat, person, id)).push_token_id, tokenId(fill));
  return id;
}
