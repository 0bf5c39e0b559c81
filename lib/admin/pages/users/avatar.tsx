import { drawIdenticon } from "@/lib/chat/people/users/avatar.ts";

const LOOK = "size-7 flex-none rounded-small bg-wash";

/** Renders the avatar of an account in a list. A generated one is part of the page, so that it takes no request. */
export function Avatar({ id, path }: { id: number; path: string | null }) {
  if (path !== null) return <img src={path} alt="" width={28} height={28} loading="lazy" class={LOOK} />;
  const { ground, tints, cells } = drawIdenticon(id);
  return (
    <svg viewBox="0 0 2 2" aria-hidden="true" class={LOOK}>
      <path d="M0 0H2V2H0z" fill={`rgb(${ground})`} />
      {cells.map(({ column, row, turns, tint, shape }) => (
        <path
          key={`${column} ${row}`}
          d={shape.path}
          fill={`rgb(${tints[tint]})`}
          transform={`translate(${column} ${row})rotate(${90 * turns} .5 .5)`}
        />
      ))}
    </svg>
  );
}
