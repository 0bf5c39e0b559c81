import project from "@/deno.json" with { type: "json" };

/** What clients are told about this program, besides what the organization and the operator decide. */
export const SERVICE = {
  /** The interface's level: what clients compare with the level that brought a feature. */
  service_feature_level: 500,
  service_version: project.version,
  /** Empty: releases are told apart by their version alone. */
  service_merge_base: "",
} as const;
