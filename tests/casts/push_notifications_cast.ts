import assert from "node:assert/strict";
import { sha256 } from "@/lib/core/bytes.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { decryptOnDevice } from "@/tests/helpers/device_crypto.ts";
import { type PushProvider, startPushProvider } from "@/tests/helpers/push_provider.ts";
import { type Keys, newKeys, seal } from "./bouncer_cast.ts";

/** A device with its secrets. */
export interface Device {
  readonly id: number;
  readonly kind: "fcm" | "apns";
  readonly token: string;
  readonly tokenId: string;
  readonly pushKeyId: number;
  readonly pushKey: Uint8Array;
}

/** A chat that is its own bouncer, with a fake of the providers. */
export interface PushChat extends TestChat {
  readonly provider: PushProvider;
  readonly keys: Keys;
  /** Creates a person's device and registers it for notifications. */
  device(person: TestUser, kind?: Device["kind"]): Promise<Device>;
  /** Sends due notifications and returns the payloads that a device has received so far. */
  // deno-lint-ignore no-explicit-any
  received(device: Device): Promise<Record<string, any>[]>;
}

/** Starts a chat that sends notifications through a fake of the providers. */
export async function startPushChat(env: Readonly<Record<string, string>> = {}): Promise<PushChat> {
  const [provider, keys] = [startPushProvider(), await newKeys()];
  const own = { PUSH_BOUNCER_KEYS: JSON.stringify([keys]), ...provider.env, ...env };
  const chat = await startChat({
    env: Object.fromEntries(Object.entries(own).filter(([, text]) => text !== "")),
  });
  return {
    ...chat,
    provider,
    keys,
    async device(person, kind = "fcm") {
      const { device, params } = await newDevice({ kind, keys, now: chat.clock.now() });
      const { body } = await chat.call(person, "POST /register_client_device");
      const id: number = body["device_id"];
      const { status, body: answer } = await chat.call(person, "POST /mobile_push/register", {
        device_id: id,
        ...params,
      });
      assert.equal(status, 200, JSON.stringify(answer));
      await chat.services.pushRegistrar.sweep();
      return { id, ...device };
    },
    async received(device) {
      await chat.services.notifier.sweep();
      return await readReceived(provider, device);
    },
    async [Symbol.asyncDispose]() {
      await chat.services.notifier.stop();
      await chat[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Creates a device and its registration parameters. */
export async function newDevice({ kind, keys, now }: { kind: Device["kind"]; keys: Keys; now: number }) {
  const token = crypto.randomUUID().replaceAll("-", "");
  const tokenId = (await sha256(token)).slice(0, 8).toBase64();
  const pushKey = crypto.getRandomValues(new Uint8Array(33));
  pushKey[0] = 0x31;
  const pushKeyId = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const app = kind === "apns" ? { ios_app_id: "org.example.garden" } : {};
  const registration = { token, token_kind: kind, timestamp: Math.floor(now / 1000), ...app };
  const params = {
    push_key_id: pushKeyId,
    push_key: pushKey.toBase64(),
    token_kind: kind,
    token_id: tokenId,
    bouncer_public_key: keys.public_key,
    encrypted_push_registration: seal(registration, keys.public_key),
  };
  return { device: { kind, token, tokenId, pushKeyId, pushKey }, params };
}

/** Returns the payloads that a device has received so far, decrypted with its key. */
export async function readReceived(
  provider: PushProvider,
  device: Omit<Device, "id">,
  // deno-lint-ignore no-explicit-any
): Promise<Record<string, any>[]> {
  const own = provider.received.filter(({ token }) => token === device.token);
  return await Promise.all(own.map(async ({ kind, pushKeyId, encryptedData }) => {
    assert.deepEqual([kind, pushKeyId], [device.kind, device.pushKeyId]);
    const text = await decryptOnDevice(device.pushKey, Uint8Array.fromBase64(encryptedData));
    assert.ok(text !== null, "the device cannot decrypt it");
    return JSON.parse(text);
  }));
}
