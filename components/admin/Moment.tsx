import { useAdmin } from "./admin_view.ts";

/** Renders the date and time of day of a time in milliseconds since 1970 UTC; the frame names the time zone. */
export function Moment({ time, look }: { time: number; look?: string }) {
  const { formatter } = useAdmin();
  return <time dateTime={new Date(time).toISOString()} class={look}>{formatter.moment(time)}</time>;
}
