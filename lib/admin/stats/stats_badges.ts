import project from "@/deno.json" with { type: "json" };
import { escapeHtml } from "@/lib/core/html.ts";
import { type Badge, toCountBadge, toVersionBadge } from "@/lib/links/params.ts";
import type { InstanceCounts } from "@/lib/links/store.ts";

/** Placeholder for the badge service's address. */
const PLACEHOLDER = "https://BADGE-SERVICE/endpoint";

/** A badge with its embed codes. */
export interface ShownBadge {
  readonly name: "urls" | "visits" | "version";
  readonly badge: Badge;
  /** Public URL of its figures. */
  readonly url: string;
  readonly markdown: string;
  readonly html: string;
}

/** Returns the three badges of this server, rendered by the badge service at `service` or a placeholder. */
export function listBadges(baseUrl: string, counts: InstanceCounts, service: string | null): ShownBadge[] {
  const badges = [
    { name: "urls", badge: toCountBadge("urls", counts.urls) },
    { name: "visits", badge: toCountBadge("visits", counts.visits) },
    { name: "version", badge: toVersionBadge(project.version) },
  ] as const;
  return badges.map(({ name, badge }) => {
    const url = `${baseUrl}/stats/badges/${name}`;
    const join = (service ?? PLACEHOLDER).includes("?") ? "&" : "?";
    const picture = `${service ?? PLACEHOLDER}${join}url=${encodeURIComponent(url)}`;
    return {
      name,
      badge,
      url,
      markdown: `![${badge.label}](${picture.replaceAll("(", "%28").replaceAll(")", "%29")})`,
      html: `<img src="${escapeHtml(picture)}" alt="${badge.label}">`,
    };
  });
}

/** Parses the address of a badge service; null for anything else. */
export function readService(text: string): string | null {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
