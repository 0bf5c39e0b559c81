import assert from "node:assert/strict";
import { toSettingEvent } from "@/lib/chat/people/user_settings/update_settings.ts";
import {
  getSetting,
  isSettingName,
  settingNames,
  settingsParams,
} from "@/lib/chat/people/user_settings/model/settings.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";

function read(name: string, value: string): unknown {
  return Object.entries(readParams(settingsParams, new Map([[name, value]])).values)
    .find(([other]) => other === name)?.[1];
}

Deno.test("every setting's default is a valid value of its parameter", () => {
  for (const name of settingNames) {
    const { defaultValue: byDefault, encoding, findProblem } = getSetting(name);
    const sent = encoding === "json" ? JSON.stringify(byDefault) : String(byDefault);
    assert.equal(read(name, sent), byDefault, name);
    assert.equal(findProblem?.(byDefault) ?? null, null, name);
  }
});

Deno.test("every setting is optional and has a description", () => {
  for (const [name, { fallback, description = "" }] of Object.entries(settingsParams)) {
    assert.deepEqual(fallback, { value: undefined }, name);
    assert.match(description, /^[A-Z].*\.$/, name);
  }
});

Deno.test("the settings of the specification exist with its choices", () => {
  const choices: Record<string, readonly string[]> = {
    web_mark_read_on_scroll_policy: ["1", "2", "3"],
    web_channel_default_view: ["1", "2", "4"],
    color_scheme: ["1", "2", "3"],
    web_home_view: ["recent", "inbox", "all_messages"],
    emojiset: ["text", "google", "twitter"],
    demote_inactive_streams: ["1", "2", "3"],
    user_list_style: ["1", "2", "3"],
    web_font_size_px: ["1", "32767"],
    web_line_height_percent: ["1", "32767"],
  };
  for (const [name, values] of Object.entries(choices)) {
    assert.ok(isSettingName(name));
    for (const value of values) assert.equal(String(read(name, value)), value, name);
  }
  const words = "twenty_four_hour_time starred_message_counts receives_typing_notifications " +
    "web_suggest_update_timezone fluid_layout_width high_contrast_mode enable_drafts_synchronization " +
    "translate_emoticons display_emoji_reaction_users web_escape_navigates_to_home_view left_side_userlist";
  for (const name of words.split(" ")) {
    assert.deepEqual([read(name, "true"), read(name, "false")], [true, false]);
  }
});

Deno.test("time zones are IANA names in letters of any case", () => {
  const zones = [
    "",
    "UTC",
    "Etc/UTC",
    "Etc/GMT+12",
    "Etc/GMT-14",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Asia/Calcutta",
  ];
  for (const zone of zones) assert.equal(read("timezone", zone), zone);
  assert.deepEqual(["utc", "us/pacific"].map((zone) => read("timezone", zone)), ["UTC", "US/Pacific"]);
  for (const zone of ["+01:00", "Etc/GMT+13", " UTC", "toString", "Mars/Olympus"]) {
    assert.throws(() => read("timezone", zone), { code: "BAD_REQUEST" }, zone);
  }
});

Deno.test("the event of a new language contains the name of the language", () => {
  for (
    const [value, language_name] of [["en", "English"], ["de", "Deutsch"], ["zh-tw", "中文（台灣）"]] as const
  ) {
    assert.deepEqual(toSettingEvent({ name: "default_language", value }), {
      type: "user_settings",
      op: "update",
      property: "default_language",
      value,
      language_name,
    });
  }
});
