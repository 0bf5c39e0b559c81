import { useAdmin } from "../admin_view.ts";

interface RelativeTimeProps {
  /** Milliseconds since 1970 UTC; null for never. */
  readonly time: number | null;
  readonly now: number;
  /** Whether something ends at that time. */
  readonly isEnd?: boolean;
  /** Whether that time is close. */
  readonly isSoon?: boolean;
}

/** Renders a time relative to now, with the exact time as its title; scripts keep it current. */
export function RelativeTime({ time, now, isEnd = false, isSoon = false }: RelativeTimeProps) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  if (time === null) return <>{text.neverExpires}</>;
  return (
    <time
      dateTime={new Date(time).toISOString()}
      title={formatter.moment(time)}
      data-moment={time}
      data-ends={isEnd ? "" : undefined}
      class={isSoon ? "font-medium text-accent" : ""}
    >
      {formatter.distance(time, now)}
    </time>
  );
}
