import { useEffect } from "preact/hooks";
import { keepStream } from "@/lib/client/page_news.ts";

interface WatchJoinsProps {
  /** Element with the people who joined, on this page and when it is loaded again. */
  readonly listId: string;
  /** Event id that the page is up to date with. */
  readonly position: number;
}

const PATH = `/admin/events?types=${encodeURIComponent('["realm_user"]')}`;

/** Shows people who join while the page is open. */
export default function WatchJoins({ listId, position }: WatchJoinsProps) {
  useEffect(() => {
    let known = position;
    return keepStream(() => `${PATH}&last_event_id=${known}`, ({ type, lastEventId, data }) => {
      known = Math.max(known, Number(lastEventId));
      if (type === "stale" || type === "message" && String(data).includes('"op":"add"')) void refresh(listId);
    });
  }, []);
  return null;
}

/** Replaces the list by that of the page as it is now; without an answer it stays. */
async function refresh(listId: string): Promise<void> {
  const answer = await fetch(location.href).catch(() => null);
  if (answer === null || !answer.ok) return;
  const latest = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(listId);
  const shown = document.getElementById(listId);
  if (latest !== null && shown?.textContent !== latest.textContent) {
    shown?.replaceChildren(...latest.childNodes);
  }
}
