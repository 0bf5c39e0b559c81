import { useSignal } from "@preact/signals";

interface ChartReadoutProps {
  /** Accessible name. */
  readonly label: string;
  /** Text of each point of the chart, from its start. */
  readonly texts: readonly string[];
}

/** Reads out the point of a chart under the pointer, or the one that the arrow keys choose. */
export default function ChartReadout({ label, texts }: ChartReadoutProps) {
  // -1 is none.
  const chosen = useSignal(-1);
  const at = chosen.value;
  const last = texts.length - 1;
  const leave = () => {
    chosen.value = -1;
  };
  return (
    <div class="absolute inset-0 noscript:hidden">
      <input
        type="range"
        min={0}
        max={last}
        value={at < 0 ? last : at}
        aria-label={label}
        aria-valuetext={texts[at] ?? label}
        // The thumb has no width, so that the ends of the range are those of the line.
        class="size-full touch-pan-y appearance-none bg-transparent [&::-moz-range-thumb]:w-0 [&::-moz-range-thumb]:border-0 [&::-webkit-slider-thumb]:w-0 [&::-webkit-slider-thumb]:appearance-none"
        onInput={({ currentTarget }) => chosen.value = currentTarget.valueAsNumber}
        onPointerMove={({ currentTarget, offsetX }) => {
          const index = Math.round(offsetX / currentTarget.clientWidth * last);
          chosen.value = Math.min(last, Math.max(0, index));
        }}
        onPointerLeave={leave}
        onFocus={() => chosen.value = at < 0 ? last : at}
        onBlur={leave}
      />
      {at >= 0 && <Point text={texts[at] ?? ""} position={last === 0 ? 50 : at / last * 100} />}
    </div>
  );
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
