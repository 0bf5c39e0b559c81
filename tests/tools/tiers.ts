/** Folders and files of each tier of tests. */
export const TIERS = {
  all: [
    "tests/architecture_test.ts",
    "tests/style_test.ts",
    "tests/unit",
    "tests/api",
    "tests/security",
    "tests/property",
    "tests/process",
  ],
  api: ["tests/unit", "tests/api", "tests/property"],
  browser: ["tests/browser"],
} as const;
/** Name of a tier of tests. */
export type Tier = keyof typeof TIERS;

/** Whether a text is the name of a tier. */
export function isTier(name: string): name is Tier {
  return Object.hasOwn(TIERS, name);
}
