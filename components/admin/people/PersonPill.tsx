import type { Formatter } from "@/lib/ui/formatter.ts";

interface PersonPillProps {
  readonly line: string;
  readonly messages: { readonly remove: string };
  readonly formatter: Pick<Formatter, "t">;
  readonly onRemove: (line: string) => void;
}

/** Renders a chosen person or group with a button that removes it. */
export function PersonPill({ line, messages, formatter, onRemove }: PersonPillProps) {
  const name = line.replace(/ \(\d+\)$/, "");
  return (
    <li class="inline-flex max-w-full items-center rounded-small bg-wash ps-2 text-small">
      <bdi class="min-w-0 break-words">{name}</bdi>
      <button
        type="button"
        aria-label={formatter.t(messages.remove, { name })}
        onClick={() => onRemove(line)}
        class="min-h-7 min-w-7 flex-none cursor-pointer text-soft hover:text-ink"
      >
        ×
      </button>
    </li>
  );
}
