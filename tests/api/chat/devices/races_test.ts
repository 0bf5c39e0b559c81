// POST /mobile_push/register, POST /remove_client_device and the bouncer's answers, all concurrently.
import assert from "node:assert/strict";
import { createPushRegistrar } from "@/lib/chat/devices/push_registrar.ts";
import { listReachableDevices, removePushToken } from "@/lib/chat/devices/devices.ts";
import { checkDevices } from "@/lib/cli/check_chat.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { readSeed, seededRandom } from "@/tests/process/traffic.ts";
import {
  addDevice,
  keyGroup,
  readDevices,
  register,
  ScriptedBouncer,
  tokenGroup,
  tokenId,
} from "@/tests/casts/devices_cast.ts";

const ROUNDS = 40;
const AT_ONCE = 8;
const ANSWERS = ["success", "BAD_REQUEST", "REQUEST_EXPIRED", "INTERNAL_ERROR", "success"];

/** Returns the devices as a client derives them from all events. */
async function applyEvents(chat: TestChat): Promise<Record<string, unknown>> {
  const known: Record<string, object> = {};
  for (const { event } of await chat.events()) {
    const { type: _, op, device_id, ...fields } = event;
    const id = String(device_id);
    if (op === "add") {
      known[id] = {
        push_key_id: null,
        push_token_id: null,
        pending_push_token_id: null,
        push_token_last_updated_timestamp: null,
        push_registration_error_code: null,
      };
    } else if (op === "remove") delete known[id];
    else known[id] = { ...known[id], ...fields };
  }
  return known;
}

Deno.test("concurrent changes of devices keep counts exact and events complete", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const pick = (below: number) => Math.floor(random() * below);
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, services, realm, clock } = chat;
  // Events of the same millisecond have no order.
  clock.now = () => clock.time++;
  bouncer.answer = () => {
    const code = ANSWERS[pick(ANSWERS.length)];
    if (code === "success") return Response.json({ result: "success" });
    return Response.json({ code }, { status: code === "INTERNAL_ERROR" ? 500 : 400 });
  };
  const other = createPushRegistrar(services.chat, () => {});
  const ids = await Promise.all(Array.from({ length: 8 }, () => addDevice(chat, member)));
  const act = async (): Promise<unknown> => {
    const [at, fill] = [pick(ids.length), pick(3) + 1];
    const device_id = ids[at] ?? 0;
    switch (pick(8)) {
      case 0:
        return await services.pushRegistrar.sweep();
      case 1:
        return await other.sweep();
      case 2:
        return await register(chat, member, { device_id, ...keyGroup(fill) });
      case 3:
        return await register(chat, member, { device_id, ...tokenGroup(fill) });
      case 4:
        return await removePushToken(
          services.chat,
          { realmId: realm.id, userId: member.id, id: device_id },
          tokenId(fill),
        );
      case 5:
        await chat.call(member, "POST /remove_client_device", { device_id });
        return ids[at] = await addDevice(chat, member);
      default:
        return await register(chat, member, { device_id, ...keyGroup(fill), ...tokenGroup(fill) });
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: AT_ONCE }, act));
    clock.time += pick(60_000);
    await checkDevices(services.store.kv, realm.id, (problem) => assert.fail(`${problem} TEST_SEED=${seed}`));
  }
  await other.stop();
  const devices = await readDevices(chat, member);
  assert.deepEqual(await applyEvents(chat), devices, `TEST_SEED=${seed}`);
  const reachable = (await listReachableDevices(services.chat, realm.id, member.id)).map(({ id }) =>
    String(id)
  );
  const active = Object.keys(devices).filter((id) => devices[id].push_token_id !== null);
  assert.deepEqual(reachable.sort(), active.sort(), `TEST_SEED=${seed}`);
});
