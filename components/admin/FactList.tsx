/** Renders terms, each with its value beside it, or below it on narrow screens. */
export function FactList({ facts }: { facts: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl class="max-w-[46rem] border-t border-rule">
      {facts.map(([term, value]) => (
        <div key={term} class="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-rule py-2">
          <dt class="min-w-0 flex-[1_1_12rem] text-soft">{term}</dt>
          <dd class="min-w-0 flex-[2_1_14rem] break-words whitespace-pre-line">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
