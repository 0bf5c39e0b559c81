import type { GroupUse } from "@/lib/admin/groups/group_uses.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

/** Lists the settings that use a group, with links to their pages. */
export function GroupUses({ uses }: { uses: readonly GroupUse[] }) {
  const { messages, formatter } = useAdmin();
  if (uses.length === 0) return <p class="text-soft">{messages.groups.unused}</p>;
  return (
    <ul class="border-t border-rule">
      {uses.map(({ path, name, settings }) => (
        <li key={path} class="flex flex-wrap gap-x-4 border-b border-rule py-2.5">
          <span class="min-w-0 flex-[1_1_12rem]">
            <Link class="link font-medium break-words" href={path}>
              <bdi>{name}</bdi>
            </Link>
          </span>
          <span class="min-w-0 flex-[2_1_16rem] text-soft">{formatter.list(settings)}</span>
        </li>
      ))}
    </ul>
  );
}
