import assert from "node:assert/strict";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { updateSettings } from "@/lib/chat/people/user_settings/update_settings.ts";
import {
  getSetting,
  requireSharedSettings,
  requireValidSettings,
  type SettingName,
  settingNames,
  settingsParams,
} from "@/lib/chat/people/user_settings/model/settings.ts";
import type { SettingValue } from "@/lib/chat/people/user_settings/model/registry.ts";
import { readUserSettings } from "@/lib/chat/people/user_settings/store.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const names = fc.oneof(fc.constantFrom(...Object.keys(settingsParams)), fc.string({ maxLength: 20 }));
const texts = fc.oneof(
  fc.json(),
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.constantFrom("true", "-1", "0", "1e999", "9007199254740993", "[[[[", '{"user_ids":{}}', "\0", "\ud800"),
);

Deno.test("arbitrary parameters are accepted or refused with a message", () => {
  fc.assert(
    fc.property(fc.dictionary(names, texts), (fields) => {
      try {
        const { values } = readParams(settingsParams, new Map(Object.entries(fields)));
        requireValidSettings(values);
        requireSharedSettings(values);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
        assert.ok(error.code === "BAD_REQUEST" && error.message !== "");
      }
    }),
    numberOfRuns(700),
  );
});

/** Settings of every type, with valid values. */
const VALUES: Readonly<Partial<Record<SettingName, readonly SettingValue[]>>> = {
  color_scheme: [1, 2, 3],
  enter_sends: [false, true],
  web_font_size_px: [1, 16, 32_767],
  web_home_view: ["inbox", "recent"],
  notification_sound: ["ding", "none"],
  timezone: ["", "UTC", "Europe/Berlin"],
};
const movable = settingNames.filter((name) => VALUES[name] !== undefined);
const shared = movable.filter((name) => !getSetting(name).isPersonal);

function changes(allowed: readonly SettingName[]) {
  const one = fc.constantFrom(...allowed).chain((name) =>
    fc.tuple(fc.constant(name), fc.constantFrom(...VALUES[name] ?? []))
  );
  return fc.array(one, { maxLength: 4 }).map((pairs) => new Map(pairs));
}

const step = fc.oneof(
  fc.record({ by: fc.constantFrom(0, 1), target: fc.constant(null), changed: changes(movable) }),
  fc.record({
    by: fc.constantFrom(0, 1),
    target: fc.record({
      people: fc.subarray([0, 1, 2], { minLength: 1 }),
      skipsEdited: fc.boolean(),
    }),
    changed: changes(shared),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A user in a simple model of the rules. */
interface UserModel {
  readonly values: Map<SettingName, SettingValue>;
  readonly edited: Set<SettingName>;
}

function applyToModel(people: readonly UserModel[], { by, target, changed }: Step): void {
  for (const at of target?.people ?? [by]) {
    const person = people[at];
    assert.ok(person !== undefined);
    for (const [name, value] of changed) {
      if (target?.skipsEdited && person.edited.has(name)) continue;
      if (person.values.get(name) === value) continue;
      person.values.set(name, value);
      if (at === by) person.edited.add(name);
    }
  }
}

async function readPerson(chat: TestChat, { id }: TestUser): Promise<UserRecord> {
  const user = await readUser(chat.services.chat, chat.realm.id, id);
  assert.ok(user !== null);
  return user;
}

async function applyToServer(
  chat: TestChat,
  people: readonly TestUser[],
  { by, target, changed }: Step,
): Promise<void> {
  const person = people[by];
  assert.ok(person !== undefined);
  const fields = new Map([...changed].map(([name, value]) => [String(name), String(value)]));
  if (target !== null) {
    const user_ids = target.people.map((at) => people[at]?.id);
    fields.set("target_users", JSON.stringify({ user_ids, skip_if_already_edited: target.skipsEdited }));
  }
  const { values } = readParams(settingsParams, fields);
  const user = await readPerson(chat, person);
  await updateSettings(
    chat.services.chat,
    { realm: chat.realm, actingUser: user, isSession: false, limits: null },
    values,
  );
}

Deno.test("any sequence of own and administrators' changes matches a simple model of the rules", async () => {
  await using chat = await startChat();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      run++;
      const roles = [200, 200, 600] as const;
      const people: TestUser[] = [];
      for (const [at, role] of roles.entries()) people.push(await chat.add(`p${run}x${at}`, role));
      const models = people.map((): UserModel => ({
        values: new Map(movable.map((name) => [name, getSetting(name).defaultValue])),
        edited: new Set(),
      }));
      for (const one of steps) {
        await applyToServer(chat, people, one);
        applyToModel(models, one);
      }
      for (const [at, person] of people.entries()) {
        const settings = await readUserSettings(
          chat.services.chat,
          chat.realm.id,
          await readPerson(chat, person),
        );
        const found = new Map(movable.map((name) => [name, settings[name]]));
        assert.deepEqual(found, models[at]?.values);
      }
    }),
    numberOfRuns(40),
  );
});
