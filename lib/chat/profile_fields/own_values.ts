import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { changeValues, type WantedValue } from "./change_values.ts";
import type { SentValue } from "./params.ts";
import { refusal } from "./refusal.ts";
import { getActor } from "./store.ts";

/**
 * Sets the caller's own values, all of them or none.
 * @throws AppError BAD_REQUEST for the first that cannot be.
 */
export async function setOwnValues(
  app: ChatApp,
  caller: Caller,
  data: readonly SentValue[],
): Promise<void> {
  const at = data.findIndex(({ value }) => value === null);
  // Values go by another request; null is no value.
  if (at >= 0) throw refusal("data", `data[${at}]["value"] is not a string`);
  await changeOwn(app, caller, data);
}

/**
 * Clears the caller's own values, all of them or none; one that there is not is cleared already.
 * @throws AppError BAD_REQUEST for the first that cannot be.
 */
export async function clearOwnValues(
  app: ChatApp,
  caller: Caller,
  fieldIds: readonly number[],
): Promise<void> {
  await changeOwn(app, caller, fieldIds.map((id) => ({ id, value: null })));
}

async function changeOwn(app: ChatApp, caller: Caller, wanted: readonly WantedValue[]): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActor(tx, caller);
    await changeValues({ app, tx, realm: caller.realm, actor, target: actor }, wanted);
  });
}
