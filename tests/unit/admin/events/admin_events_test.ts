import assert from "node:assert/strict";
import { findShownAt } from "@/lib/admin/events/admin_events.ts";
import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { ANY_SAMPLES, listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";

/** Pages without data that other users or background work change. */
const STILL = [
  "/admin",
  "/admin/activity",
  "/admin/bots/[id]/key",
  "/admin/bots/[id]/webhook",
  "/admin/bots/new",
  "/admin/bulk-actions",
  "/admin/bulk-actions/[id]",
  "/admin/bulk-actions/confirm",
  "/admin/bulk-actions/new",
  "/admin/channels/new",
  "/admin/find",
  "/admin/groups/new",
  "/admin/linkifiers/new",
  "/admin/links",
  "/admin/links/[short]",
  "/admin/links/[short]/delete",
  "/admin/links/hosts",
  "/admin/organization/deactivate",
  "/admin/organization/status",
  "/admin/profile-fields/new",
  "/admin/shortcuts",
  "/admin/stats",
  "/admin/users/new",
];

function shows(path: string, event: ChatEvent): boolean {
  const shown = findShownAt(path);
  return shown !== null && shown.types.includes(event.type) && shown.shows(event);
}

Deno.test("every admin page has its events, or is listed as having none", () => {
  const pages = listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) => pattern);
  const still = pages.filter((pattern) => findShownAt(toAdminPath(pattern, ANY_SAMPLES)) === null);
  assert.deepEqual(still.sort(), STILL);
});

Deno.test("only paths of pages show events", () => {
  for (
    const path of [
      "",
      "/",
      "/admin/users/1/2",
      "/admin/users/%E0%A4%A",
      "/admin/users//deactivate",
      "/admin/*",
    ]
  ) {
    assert.equal(findShownAt(path), null, path);
  }
});

Deno.test("lists show events of their items, but not of details that are shown elsewhere", () => {
  const renamed = { type: "realm_user", op: "update", person: { user_id: 5, full_name: "Five" } };
  const profile = {
    type: "realm_user",
    op: "update",
    person: { user_id: 5, custom_profile_field: { id: 1 } },
  };
  assert.deepEqual([shows("/admin/users", renamed), shows("/admin/users", profile)], [true, false]);
  assert.ok(shows("/admin/users", { type: "realm_user", op: "add", person: { user_id: 9 } }));
  assert.equal(shows("/admin/users", { type: "presence", user_id: 5 }), false);
  const color = { type: "subscription", op: "update", stream_id: 4, property: "color", value: "#fff" };
  assert.equal(shows("/admin/channels", color), false);
  assert.ok(
    shows("/admin/channels", { type: "subscription", op: "peer_add", stream_ids: [4], user_ids: [1] }),
  );
  const described = { type: "stream", op: "update", stream_id: 4, property: "description", value: "" };
  const moved = { ...described, property: "folder_id", value: 2 };
  assert.deepEqual([shows("/admin/channel-folders", described), shows("/admin/channel-folders", moved)], [
    false,
    true,
  ]);
});

Deno.test("a page of one record shows the events of that record", () => {
  const about: readonly [path: string, event: ChatEvent][] = [
    ["/admin/users/5", { type: "realm_user", op: "update", person: { user_id: 5, role: 200 } }],
    ["/admin/users/5/deactivate", {
      type: "realm_user",
      op: "update",
      person: { user_id: 5, is_active: false },
    }],
    ["/admin/users/5", { type: "realm_bot", op: "update", bot: { user_id: 5 } }],
    ["/admin/users/5", { type: "user_group", op: "add_members", group_id: 1, user_ids: [4, 5] }],
    ["/admin/users/5", { type: "subscription", op: "peer_remove", stream_ids: [1], user_ids: [5] }],
    ["/admin/channels/5", { type: "stream", op: "update", stream_id: 5, property: "name" }],
    ["/admin/channels/5/archive", {
      type: "stream",
      op: "delete",
      streams: [{ stream_id: 5 }],
      stream_ids: [5],
    }],
    ["/admin/channels/5", { type: "stream", op: "create", streams: [{ stream_id: 4 }, { stream_id: 5 }] }],
    ["/admin/channels/5", { type: "subscription", op: "peer_add", stream_ids: [5], user_ids: [1] }],
    ["/admin/channels/5", { type: "subscription", op: "add", subscriptions: [{ stream_id: 5 }] }],
    ["/admin/groups/5", { type: "user_group", op: "update", group_id: 5, data: {} }],
    ["/admin/channel-folders/5", { type: "channel_folder", op: "update", channel_folder_id: 5, data: {} }],
    ["/admin/organization/domains/a.example/remove", {
      type: "realm_domains",
      op: "remove",
      domain: "a.example",
    }],
    [
      "/admin/organization/domains/a.example/remove",
      { type: "realm_domains", op: "change", realm_domain: { domain: "a.example", allow_subdomains: true } },
    ],
  ];
  for (const [path, event] of about) {
    assert.ok(shows(path, event), `${path} ${JSON.stringify(event)}`);
    const other = path.replace("/5", "/6").replace("a.example", "b.example");
    assert.equal(shows(other, event), false, `${other} ${JSON.stringify(event)}`);
  }
  // List events contain the whole list, without the difference.
  assert.ok(shows("/admin/linkifiers/5", { type: "realm_linkifiers", realm_linkifiers: [] }));
  assert.ok(shows("/admin/profile-fields/5", { type: "custom_profile_fields", fields: [] }));
});

Deno.test("permissions of the organization are shown on their own page", () => {
  const permission = {
    type: "realm",
    op: "update_dict",
    property: "default",
    data: { can_create_groups: 5 },
  };
  const name = { ...permission, data: { name: "Gardeners" } };
  assert.deepEqual(
    [permission, name].map((event) =>
      ["", "/permissions"].map((page) => shows(`/admin/organization${page}`, event))
    ),
    [[false, true], [true, false]],
  );
});
