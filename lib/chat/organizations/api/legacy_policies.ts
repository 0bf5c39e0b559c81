import { z } from "zod";
import { type SystemGroupName, systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import type { RealmRecord } from "../model.ts";

/** A field that expressed a permission as a number before it became a set of users. */
interface LegacyPolicy {
  readonly name: string;
  readonly setting: string;
  /** Number of each system group; the first one also stands for any other set of users. */
  readonly values: Readonly<Partial<Record<SystemGroupName, number>>>;
}

const CREATE_VALUES = {
  "role:members": 1,
  "role:fullmembers": 3,
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 2,
  "role:nobody": 2,
} as const;

const LEGACY_POLICIES: readonly LegacyPolicy[] = [
  {
    name: "create_private_stream_policy",
    setting: "can_create_private_channel_group",
    values: CREATE_VALUES,
  },
  { name: "create_public_stream_policy", setting: "can_create_public_channel_group", values: CREATE_VALUES },
  {
    name: "create_web_public_stream_policy",
    setting: "can_create_web_public_channel_group",
    values: { "role:moderators": 4, "role:administrators": 2, "role:owners": 7, "role:nobody": 6 },
  },
  {
    name: "wildcard_mention_policy",
    setting: "can_mention_many_users_group",
    values: {
      "role:everyone": 1,
      "role:members": 2,
      "role:fullmembers": 3,
      "role:moderators": 7,
      "role:administrators": 5,
      "role:owners": 5,
      "role:nobody": 6,
    },
  },
];

/** Older fields of an organization that express a permission as a number. */
export const legacyPoliciesSchema = z.object(
  Object.fromEntries(LEGACY_POLICIES.map(({ name, setting }) => [
    `realm_${name}`,
    z.int().meta({ deprecated: true, description: `A superset of \`realm_${setting}\`, by role.` }),
  ])),
);

/**
 * Returns the older fields of the permissions that are given by name: the number of the system group, or of the
 * largest one for any other set of users.
 */
export function toLegacyPolicies(
  realm: RealmRecord,
  permissions: Readonly<Record<string, unknown>>,
): Record<string, number> {
  return Object.fromEntries(LEGACY_POLICIES.flatMap(({ name, setting, values }) => {
    const value = permissions[setting];
    if (value === undefined) return [];
    const group = typeof value === "number" ? systemGroupName(realm, value) : null;
    const [largest = 0] = Object.values(values);
    return [[name, (group === null ? undefined : values[group]) ?? largest]];
  }));
}
