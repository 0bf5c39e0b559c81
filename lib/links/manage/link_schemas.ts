import { z } from "zod";
import { LINK_LIMITS, longUrlSchema } from "../params.ts";

export const MAX_CHANGED_LINKS = 500;

const moment = z.iso.datetime({ offset: true, error: "A time must have the form 2026-12-31T23:00:00Z." })
  .transform((text) => Date.parse(text));
const tags = z.array(z.string()).max(100).meta({
  description:
    `Up to ${LINK_LIMITS.tags} tags of ${LINK_LIMITS.tag} characters, without commas; stored in lower case.`,
}).exactOptional();

const properties = {
  title: z.string().nullable().exactOptional()
    .meta({ description: `At most ${LINK_LIMITS.title} characters; null or an empty text removes it.` }),
  note: z.string().nullable().exactOptional()
    .meta({ description: `At most ${LINK_LIMITS.note} characters; null or an empty text removes it.` }),
  tags,
  isDisabled: z.boolean().exactOptional().meta({ description: "A disabled link answers 410." }),
  expiresAt: moment.nullable().exactOptional()
    .meta({ description: "Time from which on the link answers 410; null for never." }),
  maxVisits: z.int().min(1).max(LINK_LIMITS.maxVisits).nullable().exactOptional()
    .meta({ description: "Number of visits after which the link answers 410; null for any number." }),
};

export const createLinkSchema = z.strictObject({ ...longUrlSchema.shape, ...properties }).meta({
  id: "LinkRequest",
});

export const changeLinkSchema = z.strictObject({
  url: longUrlSchema.shape.url.exactOptional(),
  ...properties,
})
  .meta({ id: "LinkChanges" });

const shorts = z.array(z.string().min(1).max(128)).min(1).max(MAX_CHANGED_LINKS)
  .meta({ description: "The ids: invisible characters." });

export const changeLinksSchema = z.strictObject({
  shorts,
  ...properties,
  addedTags: tags,
  removedTags: tags,
}).meta({ id: "ManyLinkChanges" });

/**
 * New values of a link's properties; those that are absent stay, and null or an empty text removes one. Times are
 * milliseconds since 1970 UTC.
 */
export type LinkPatch = z.infer<typeof changeLinkSchema> & Omit<z.infer<typeof changeLinksSchema>, "shorts">;

const visitsChoice = z.enum(["keep", "delete"], { error: "visits must be keep or delete." }).meta({
  description:
    "`keep` leaves the visits in the totals and charts; `delete` removes them from all statistics.",
});

export const deleteLinkSchema = z.object({ visits: visitsChoice });

export const deleteLinksSchema = z.strictObject({ shorts, visits: visitsChoice }).meta({
  id: "DeletedLinks",
});

export const linkSchema = z.object({
  short: z.string().meta({ description: "The identifier itself: invisible characters." }),
  shortUrl: z.string().meta({ format: "uri" }),
  url: z.string(),
  title: z.string().nullable(),
  note: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(["active", "disabled", "expired", "used_up", "blocked"]),
  isDisabled: z.boolean(),
  createdAt: z.iso.datetime(),
  createdBy: z.int().nullable().meta({
    description: "Id of the user of the root organization who was signed in, or null.",
  }),
  expiresAt: z.iso.datetime().nullable(),
  maxVisits: z.int().nullable(),
  visits: z.int(),
  lastVisitAt: z.iso.datetime().nullable(),
}).meta({ id: "Link" });

export const linkListSchema = z.object({
  links: z.array(linkSchema),
  next: z.string().nullable().meta({ description: "The `cursor` of the next page; null on the last." }),
  total: z.int().nullable().meta({ description: "Number of links found; null where they are not counted." }),
  isComplete: z.boolean().meta({
    description:
      "False when more than 5,000 links have all of the words, or when links are not in the index yet.",
  }),
}).meta({ id: "LinkList" });

export const changedLinksSchema = z.object({
  changed: z.array(z.string()),
  unchanged: z.array(z.string()),
  missing: z.array(z.string()),
}).meta({ id: "ChangedLinks" });

export const QR_FORMATS = ["svg", "png"] as const;

export const qrQuerySchema = z.object({
  format: z.enum(QR_FORMATS, { error: "format must be svg or png." }).optional(),
});

export const blockedHostSchema = z.object({
  host: z.string(),
  blockedAt: z.iso.datetime().nullable().meta({
    description: "Null for a host that BLOCKED_HOSTNAMES lists.",
  }),
}).meta({ id: "BlockedHost" });

export const blockedHostsSchema = z.object({ hosts: z.array(blockedHostSchema) }).meta({
  id: "BlockedHosts",
});

export const blockHostSchema = z.strictObject({ host: z.string().max(500) }).meta({
  id: "BlockedHostRequest",
});

export const hostPathSchema = z.object({ host: z.string() });
