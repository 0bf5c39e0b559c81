import { useAdmin } from "../admin_view.ts";

interface MomentProps {
  /** Milliseconds since 1970 UTC; null never. */
  readonly time: number | null;
  readonly now: number;
  /** Whether something ends then. */
  readonly isEnd?: boolean;
  /** Whether that is soon. */
  readonly isSoon?: boolean;
}

/** How far a moment is, with the moment itself to point at; scripts keep it right. */
export function Moment({ time, now, isEnd = false, isSoon = false }: MomentProps) {
  const { words: { invitations: text }, speech } = useAdmin();
  if (time === null) return <>{text.neverExpires}</>;
  return (
    <time
      dateTime={new Date(time).toISOString()}
      title={speech.moment(time)}
      data-moment={time}
      data-ends={isEnd ? "" : undefined}
      class={isSoon ? "font-medium text-accent" : ""}
    >
      {speech.distance(time, now)}
    </time>
  );
}
