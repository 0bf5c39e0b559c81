import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";

interface OrganizationIconProps {
  readonly icon: RealmRecord["icon"];
  readonly alt: string;
  /** Width and height in pixels, at most half of the picture's 100, so that it is sharp on all screens. */
  readonly size: number;
  readonly class?: string;
}

/** Renders the uploaded icon of an organization, on a light ground in both themes; nothing without one. */
export function OrganizationIcon({ icon, alt, size, class: classes = "" }: OrganizationIconProps) {
  if (icon === null || icon === undefined) return null;
  const look = `flex-none rounded-control bg-[#fff] ${classes}`;
  return <img src={icon} alt={alt} width={size} height={size} class={look} />;
}
