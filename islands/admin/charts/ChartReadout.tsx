import { type Signal, useSignal } from "@preact/signals";

interface ChartReadoutProps {
  /** Accessible name. */
  readonly label: string;
  /** Text of each point of the chart, from its start. */
  readonly texts: readonly string[];
}

/** Reads out the point of a chart under the pointer, or the one that the arrow keys choose. */
export default function ChartReadout({ label, texts }: ChartReadoutProps) {
  const chosen = useSignal(-1);
  const last = texts.length - 1;
  const at = chosen.value;
  const { follow, leave, focus, press } = useHandlers(chosen, last);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={texts[at] ?? label}
      class="absolute inset-0 touch-pan-y noscript:hidden"
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={leave}
      onFocus={focus}
      onBlur={leave}
      onKeyDown={press}
    >
      {at >= 0 && <Point text={texts[at] ?? ""} position={last === 0 ? 50 : at / last * 100} />}
    </div>
  );
}

/** Returns the handlers that choose a point; -1 is none. */
function useHandlers(chosen: Signal<number>, last: number) {
  const choose = (index: number) => chosen.value = Math.min(last, Math.max(0, index));
  const follow = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    choose(Math.round((event.clientX - left) / width * last));
  };
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: chosen.value - 1,
      ArrowRight: chosen.value + 1,
      Home: 0,
      End: last,
    };
    const index = steps[event.key];
    if (index === undefined) return;
    event.preventDefault();
    choose(index);
  };
  const leave = () => {
    chosen.value = -1;
  };
  const focus = () => {
    if (chosen.value < 0) choose(last);
  };
  return { follow, leave, focus, press };
}

/** Renders the line at a point and its text, on the side with more room. */
function Point({ text, position }: { text: string; position: number }) {
  return (
    <>
      <span
        class="pointer-events-none absolute inset-y-0 border-s border-dashed border-ink"
        style={{ left: `${position}%` }}
      />
      <span
        data-readout
        class="pointer-events-none absolute top-0 w-max max-w-48 rounded-control border border-edge bg-raised px-2.5 py-1 text-small"
        style={position > 50 ? { right: `${102 - position}%` } : { left: `${position + 2}%` }}
      >
        {text}
      </span>
    </>
  );
}
