import type { GroupUse } from "@/lib/admin/group_uses.ts";
import { useAdmin } from "../admin_view.ts";

/** Everything that uses a group, with the way to where it is changed. */
export function GroupUses({ uses }: { uses: readonly GroupUse[] }) {
  const { words, speech } = useAdmin();
  if (uses.length === 0) return <p class="text-soft">{words.groups.unused}</p>;
  return (
    <ul class="border-t border-rule">
      {uses.map(({ path, name, settings }) => (
        <li key={path} class="flex flex-wrap gap-x-4 border-b border-rule py-2.5">
          <span class="min-w-0 flex-[1_1_12rem]">
            <a class="link font-medium break-words" href={path}>
              <bdi>{name}</bdi>
            </a>
          </span>
          <span class="min-w-0 flex-[2_1_16rem] text-soft">{speech.list(settings)}</span>
        </li>
      ))}
    </ul>
  );
}
