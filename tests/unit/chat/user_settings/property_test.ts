import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { changeSettings } from "@/lib/chat/user_settings/change_settings.ts";
import { settingsParams } from "@/lib/chat/user_settings/params.ts";
import { requireImpersonal, requireMeaningful } from "@/lib/chat/user_settings/rules.ts";
import type { SettingValue } from "@/lib/chat/user_settings/setting.ts";
import { readUserSettings } from "@/lib/chat/user_settings/store.ts";
import { type SettingName, settingNames, settingOf } from "@/lib/chat/user_settings/table.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";

const names = fc.oneof(fc.constantFrom(...Object.keys(settingsParams)), fc.string({ maxLength: 20 }));
const texts = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("true", "-1", "0", "1e999", "9007199254740993", "[[[[", '{"user_ids":{}}', "\0", "\ud800"),
);

Deno.test("whatever is sent, parameters are read or refused with a sentence", () => {
  fc.assert(
    fc.property(fc.dictionary(names, texts), (fields) => {
      try {
        const { values } = readParams(settingsParams, new Map(Object.entries(fields)));
        requireMeaningful(values);
        requireImpersonal(values);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
        assert.ok(error.code === "BAD_REQUEST" && error.message !== "");
      }
    }),
    { numRuns: 2000 },
  );
});

/** Settings of every kind, and values that they take. */
const VALUES: Readonly<Partial<Record<SettingName, readonly SettingValue[]>>> = {
  color_scheme: [1, 2, 3],
  enter_sends: [false, true],
  web_font_size_px: [1, 16, 32_767],
  web_home_view: ["inbox", "recent"],
  notification_sound: ["ding", "none"],
  timezone: ["", "UTC", "Europe/Berlin"],
};
const movable = settingNames.filter((name) => VALUES[name] !== undefined);
const shared = movable.filter((name) => !settingOf(name).isPersonal);

function changes(allowed: readonly SettingName[]) {
  const one = fc.constantFrom(...allowed).chain((name) =>
    fc.tuple(fc.constant(name), fc.constantFrom(...VALUES[name] ?? []))
  );
  return fc.array(one, { maxLength: 4 }).map((pairs) => new Map(pairs));
}

const step = fc.oneof(
  fc.record({ by: fc.constantFrom(0, 1), aimsAt: fc.constant(null), changed: changes(movable) }),
  fc.record({
    by: fc.constantFrom(0, 1),
    aimsAt: fc.record({
      people: fc.subarray([0, 1, 2], { minLength: 1 }),
      spares: fc.boolean(),
    }),
    changed: changes(shared),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One person as a naive reader of the rules sees him. */
interface Imagined {
  readonly values: Map<SettingName, SettingValue>;
  readonly edited: Set<SettingName>;
}

function imagine(people: readonly Imagined[], { by, aimsAt, changed }: Step): void {
  for (const at of aimsAt?.people ?? [by]) {
    const person = people[at];
    assert.ok(person !== undefined);
    for (const [name, value] of changed) {
      if (aimsAt?.spares && person.edited.has(name)) continue;
      if (person.values.get(name) === value) continue;
      person.values.set(name, value);
      if (at === by) person.edited.add(name);
    }
  }
}

async function readPerson(chat: TestChat, { id }: Person): Promise<UserRecord> {
  const user = await readUser(chat.services.chat, chat.realm.id, id);
  assert.ok(user !== null);
  return user;
}

async function act(chat: TestChat, people: readonly Person[], { by, aimsAt, changed }: Step): Promise<void> {
  const person = people[by];
  assert.ok(person !== undefined);
  const fields = new Map([...changed].map(([name, value]) => [String(name), String(value)]));
  if (aimsAt !== null) {
    const user_ids = aimsAt.people.map((at) => people[at]?.id);
    fields.set("target_users", JSON.stringify({ user_ids, skip_if_already_edited: aimsAt.spares }));
  }
  const { values } = readParams(settingsParams, fields);
  const user = await readPerson(chat, person);
  await changeSettings(chat.services.chat, { realm: chat.realm, user, limits: null }, values);
}

Deno.test("any changes, one's own and administrators', leave what a naive reader of the rules expects", async () => {
  await using chat = await startChat();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      run++;
      const roles = [200, 200, 600] as const;
      const people: Person[] = [];
      for (const [at, role] of roles.entries()) people.push(await chat.add(`p${run}x${at}`, role));
      const imagined = people.map((): Imagined => ({
        values: new Map(movable.map((name) => [name, settingOf(name).byDefault])),
        edited: new Set(),
      }));
      for (const one of steps) {
        await act(chat, people, one);
        imagine(imagined, one);
      }
      for (const [at, person] of people.entries()) {
        const settings = await readUserSettings(
          chat.services.chat,
          chat.realm.id,
          await readPerson(chat, person),
        );
        const found = new Map(movable.map((name) => [name, settings[name]]));
        assert.deepEqual(found, imagined[at]?.values);
      }
    }),
    { numRuns: 60 },
  );
});
